/** Returns a `like` pattern for any text that contains this one, with its special characters escaped. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Returns a `like` pattern for each word, without words that another contains. The longest, the most selective, is first. */
export const wordPatterns = (words: string): string[] => {
  const longestFirst = words.split(' ').toSorted((one, other) => other.length - one.length)
  return longestFirst.filter((word, index) => !longestFirst.slice(0, index).some(longer => longer.includes(word))).map(containing)
}

/** True if the trigram index can find the words: three letters or digits in a row. Shorter ones need a scan of each row. */
export const isIndexed = (words: string): boolean => /[\p{L}\p{N}]{3}/u.test(words)
