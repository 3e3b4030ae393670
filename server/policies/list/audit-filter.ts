import type { PersonSought } from '#common/policies/search.ts'
import type { Filter } from './queries.ts'

/** Returns the filter of a list for the audit, without the search text. */
export const auditedFilter = ({ statuses, words, person, from, to, sellerId, ids }: Filter) => ({
  statuses,
  ...(words === '' ? {} : { searched: true }),
  ...(person ? { people: kindsOf(person) } : {}),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(sellerId === undefined ? {} : { ownOnly: true }),
  ...(ids === undefined ? {} : { chosen: ids.length }),
})

/** Returns by what people were looked for. */
const kindsOf = ({ document, email, phones }: PersonSought): string[] => [
  ...(document === null ? [] : ['document']),
  ...(email === null ? [] : ['email']),
  ...(phones.length === 0 ? [] : ['phone']),
]
