/** The lists that have views. */
export type ViewedList = 'purchased' | 'budgeted' | 'claim' | 'request'

/** A user has at most so many views in an agency, of all lists together. */
export const mostViews = 20
export const longestViewName = 40

/** Among more rows than this, a count that takes a query does not delay the page: a second request counts it. */
export const countedAtOnce = 20_000
