import type { Filter } from './queries.ts'

/** Returns the filter of a list for the audit, without the search text. */
export const auditedFilter = ({ statuses, words, from, to, sellerId, ids }: Filter) => ({
  statuses,
  ...(words === '' ? {} : { searched: true }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(sellerId === undefined ? {} : { ownOnly: true }),
  ...(ids === undefined ? {} : { chosen: ids.length }),
})
