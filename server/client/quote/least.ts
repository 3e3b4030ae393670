/** The card network takes no less. */
export const leastCardCents = 50
