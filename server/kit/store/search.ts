/** Returns a `like` pattern for any text that contains this one, with its special characters escaped. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** True for digits in pairs, as phones are often written. They are searched as one text: a pair is in most rows, and in no trigram. */
const isInPairs = (words: string): boolean => /^\+?\d{1,2}( \d{1,2}){2,}$/.test(words)

/** Returns a `like` pattern for each word, without words that another contains. The longest, the most selective, is first. */
export const wordPatterns = (words: string): string[] => {
  if (isInPairs(words)) return [containing(words)]
  const longestFirst = words.split(' ').toSorted((one, other) => other.length - one.length)
  return longestFirst.filter((word, index) => !longestFirst.slice(0, index).some(longer => longer.includes(word))).map(containing)
}

/** True if the trigram index can find the words: three letters or digits in a row. Shorter ones need a scan of each row. */
export const isIndexed = (words: string): boolean => /[\p{L}\p{N}]{3}/u.test(words) || isInPairs(words)
