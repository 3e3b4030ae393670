/** The longest side of a logo in pixels. It shows small, and a browser must decompress all of it. */
export const longestSide = 2048
