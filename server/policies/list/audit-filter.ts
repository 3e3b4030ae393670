import type { Filter } from './queries.ts'

/** What kind of page was looked at, for the audit. */
export const shapeOf = ({ statuses, words, from, to, sellerId, ids }: Filter) => ({
  statuses,
  ...(words === '' ? {} : { searched: true }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(sellerId === undefined ? {} : { ownOnly: true }),
  ...(ids === undefined ? {} : { chosen: ids.length }),
})
