/** The messages of every page are one file of several features; a page's own load with it. */
export const commonWords = 'common'
export const commonFeatures = ['ui', 'session', 'shell']
/** Stands between the features of a file that has the messages of several: those that a page shows first (portal/page-chunks.ts). */
export const wordsSeparator = '+'
