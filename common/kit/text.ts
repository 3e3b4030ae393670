/**
 * Normalises to NFC, so that é is one letter however it was typed. A letter with more than thirty marks (UAX 15, stream-safe text) is left unchanged:
 * no language has one, and sorting thousands of marks takes seconds.
 */
export const composed = (text: string): string => (text.match(/\p{M}+/gu)?.some(marks => marks.length > 30) ? text : text.normalize('NFC'))

/** Returns a text to search, sort and compare: lowercase, no accents, single spaces, no invisible characters. `Müßig  Ø` → `mussig o`. */
export const searchable = (text: string): string =>
  composed(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđð]/g, letter => plain[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Joins the parts of a person's name. A dash stands for a missing second surname, and is not shown. */
export const joinNames = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(part => part && !/^[-–—.\s]*$/.test(part)).join(' ')

type Text = string | null | undefined
type Names = { companyName?: Text; name?: Text; middleName?: Text; lastName?: Text }

/** Returns the name of a company, or a person's names in their order; empty while none is known. */
export const fullName = (person: Names | undefined): string =>
  person?.companyName || joinNames(person?.name, person?.middleName, person?.lastName)

/** Letters without a Unicode decomposition. */
const plain: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd' }
