/** For `like`: any part of the text; what means something to it is taken as it is written. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Each word of a searchable text, for `like`; the longest first, as it tells most, and none that another one contains. */
export const wordPatterns = (words: string): string[] => {
  const longestFirst = words.split(' ').toSorted((one, other) => other.length - one.length)
  return longestFirst.filter((word, place) => !longestFirst.slice(0, place).some(longer => longer.includes(word))).map(containing)
}

/** Three signs in a row are what an index of words knows; what is shorter has to be asked of each row. */
export const isIndexed = (words: string): boolean => /[\p{L}\p{N}]{3}/u.test(words)
