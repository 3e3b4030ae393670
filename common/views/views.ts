/** The lists that have views, and the reports, whose choices are saved likewise. */
export type ViewedList = 'purchased' | 'budgeted' | 'claim' | 'request' | 'report'

/** A user has at most so many views in an agency, of all lists together. */
export const mostViews = 20
export const longestViewName = 40

/** Among more rows than this, a count that takes a query does not delay the page: a second request counts it. */
export const countedAtOnce = 20_000
