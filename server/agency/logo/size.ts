/** No side of a logo is longer: it is shown small, and a browser has to unfold it whole. */
export const longestSide = 2048
