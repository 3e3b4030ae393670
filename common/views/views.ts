/** The lists that have saved views, and the reports, whose choices are saved in the same way. */
export type ViewedList = 'purchased' | 'budgeted' | 'claim' | 'request' | 'report'

/** The maximum number of a user's views in an agency, in all lists together. */
export const mostViews = 20
export const longestViewName = 40

/** The number of rows up to which a count by query is fast enough for the page. A second request counts more. */
export const countedAtOnce = 20_000
