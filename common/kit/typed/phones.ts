/** Calling codes have one, two or three digits (ITU-T E.164). */
const callingCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/** Countries whose numbers have nine digits, so that eleven or twelve include the code. */
const nineFigures = new Set(['34', '33', '351'])

/**
 * Splits a typed phone into its calling code, such as `+34`, and the number. A text without a code stays as typed. Reads `+34 600 111 222`,
 * `0034600111222` and `34600111222`; the last only with `ownCode` 34. A 0 in brackets is for domestic calls.
 */
export function splitPhone(text: string, ownCode = ''): { code: string; number: string } {
  const typed = text.trim()
  const digits = typed.replace(/\(0\)/, '').replaceAll(/\D/g, '')
  const isInternational = /^(?:\+|00)/.test(typed)
  const rest = isInternational ? digits.replace(/^00/, '') : digits
  const own = ownCode.replace('+', '')
  const isOwn = nineFigures.has(own) && rest.startsWith(own) && rest.length === own.length + 9
  const code = isInternational ? callingCode.exec(rest)?.[0] : isOwn ? own : undefined
  if (!code || rest.length === code.length) return { code: '', number: typed }
  return { code: `+${code}`, number: dialledAfter(code, rest.slice(code.length)) }
}

/** Countries whose numbers drop their 0 after the calling code (ITU-T E.164). Italy's keep it. */
const lostZero = new Set(['33', '44'])

/** Returns a number as it is dialled after a calling code. */
export const dialledAfter = (code: string, number: string): string =>
  lostZero.has(code.replace(/^(?:\+|00)/, '')) ? number.replace(/^\s*0/, '') : number
