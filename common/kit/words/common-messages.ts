/** The messages of every page are one file of several features; a page's own load with it. */
export const commonWords = 'common'
export const commonFeatures = ['ui', 'session', 'shell']
