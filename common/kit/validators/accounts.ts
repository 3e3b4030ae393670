/** Writes an IBAN in groups of four, as banks print it. */
export const ibanGrouped = (text: string): string => text.replaceAll(/\s/g, '').replaceAll(/.{4}(?=.)/g, '$& ')

/** True for an IBAN (ISO 13616) in either case, with or without spaces. It is valid if its digits modulo 97 are 1. */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  const length = lengths[plain.slice(0, 2)]
  if (length !== undefined && plain.length !== length) return false
  let rest = 0
  for (const character of plain.slice(4) + plain.slice(0, 4)) rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97
  return rest === 1
}

/** The lengths for countries in which our agencies and their clients bank. Elsewhere only the check digits count. */
const lengths: Readonly<Record<string, number>> = {
  AD: 24,
  AT: 20,
  BE: 16,
  CH: 21,
  DE: 22,
  ES: 24,
  FR: 27,
  GB: 22,
  IE: 22,
  IT: 27,
  LU: 20,
  MC: 27,
  NL: 18,
  PT: 25,
  SM: 27,
}
