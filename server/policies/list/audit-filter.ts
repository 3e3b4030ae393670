import type { PeopleSought } from '../people/queries.ts'
import type { Filter } from './queries.ts'

/** Returns the filter of a list for the audit, without the search text. */
export const auditedFilter = ({ statuses, words, person, ids, ...filter }: Filter) => ({
  statuses,
  ...(words === '' ? {} : { searched: true }),
  ...(person ? { people: kindsOf(person) } : {}),
  ...given('from', filter.from),
  ...given('to', filter.to),
  ...given('returnFrom', filter.returnFrom),
  ...given('returnTo', filter.returnTo),
  ...given('seller', filter.soldBy),
  ...given('product', filter.productId),
  ...(filter.sellerId === undefined ? {} : { ownOnly: true }),
  ...(ids === undefined ? {} : { chosen: ids.length }),
})

const given = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value })

/** Returns the kinds of personal data that the search used. */
const kindsOf = ({ document, email, phones }: PeopleSought): string[] => [
  ...(document === null ? [] : ['document']),
  ...(email === null ? [] : ['email']),
  ...(phones.length === 0 ? [] : ['phone']),
]
