/** The maximum length of a client's wish for a change. */
export const longestWish = 2000
