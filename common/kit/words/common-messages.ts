/** The messages of every page are one file for several features, loaded with the page's own. */
export const commonWords = 'common'
export const commonFeatures = ['ui', 'session', 'shell']
/** Separates the features in the name of a file that has messages of several: those that a page shows first (portal/page-chunks.ts). */
export const wordsSeparator = '+'
