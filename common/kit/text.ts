/**
 * NFC, so that é is one letter however it was typed. No language stacks more than thirty marks on a letter (UAX 15, stream-safe text); sorting
 * thousands of them takes seconds, so such a text stays as it is.
 */
export const composed = (text: string): string => (text.match(/\p{M}+/gu)?.some(marks => marks.length > 30) ? text : text.normalize('NFC'))

/** For searching and sorting: lower-case, without accents, one blank between words. `Müßig  Ø` → `mussig o`. */
export const searchable = (text: string): string =>
  composed(text)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđð]/g, letter => plain[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Letters that no decomposition takes apart. */
const plain: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd' }
