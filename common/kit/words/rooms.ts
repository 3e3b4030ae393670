/** The words that every page of the portal needs are one file, of several rooms; a page's own come with it. */
export const commonWords = 'common'
export const commonRooms = ['ui', 'session', 'shell']
