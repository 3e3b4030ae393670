/** The messages of every page are one file of several features; a page's own load with it. */
export const commonWords = 'common'
export const commonFeatures = ['ui', 'session', 'shell']

/** The name of the file with the messages of a page: each request costs a slow connection more than the messages do. */
export const pageWords = (features: readonly string[]): string => [commonWords, ...features].join('+')
