/** The most letters of a client's wish for a change. */
export const longestWish = 2000
