/** The rooms of words that every page of the portal needs; a page's own come with it. */
export const commonRooms = ['ui', 'session', 'shell']
