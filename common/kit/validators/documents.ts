import type { Locale } from '#common/kit/locales.ts'
import { composed } from '#common/kit/text.ts'
import { dniLetter, fiscalCodeLetter, passesCitizenCard, portugueseControl } from './checksums.ts'
import { inCountry, textRule, upperAscii } from './rule.ts'

/** spec 5: a person's identity document in the unit's country. docs/rules.md lists our additions. */
export const validDocName = textRule(
  (text, { locale }) => isDocument[locale](upperAscii(text)),
  (context, text) =>
    context.locale === 'es-ES' && isSpanishForm(upperAscii(text)) ? wrongLetter(text) : inCountry('validation.validDocName')(context),
)

/** A passport of any country: 5 to 20 letters and digits. */
export const validPassport = textRule(
  text => /^[A-Z0-9]{5,20}$/.test(upperAscii(text)),
  () => ({ key: 'validation.validPassport' }),
)

/** The national document of a country whose format is unknown. */
export const foreignDocument = textRule(
  text => /^[A-Z0-9][A-Z0-9-]{3,19}$/.test(upperAscii(text)),
  () => ({ key: 'validation.foreignDocument' }),
)

/** spec 5: document numbers are sent in upper case. Only a to z change. Overlong texts are refused elsewhere. */
export const documentNumberSent = (value: unknown): string =>
  typeof value === 'string' ? upperAscii(value.length > 400 ? value : composed(value)) : ''

/** Returns the form in which document numbers are compared: letters and digits only. */
export const documentNumberCompared = (value: unknown): string => documentNumberSent(value).replaceAll(/[^\p{L}\p{N}]/gu, '')

const isDocument: Record<Locale, (text: string) => boolean> = {
  'es-ES': text => isSpanishForm(text) && withLetter(text.slice(0, 8)) === text,
  'fr-FR': text => /^[A-Z0-9]{1,15}$/.test(text),
  'it-IT': isFiscalCode,
  'pt-PT': text => isCitizenCard(text) || isCivilNumber(text) || isPortuguesePassport(text),
  'en-EN': text => isMachineReadable(text) || isDrivingLicence(text),
}

/** True for the format of a DNI or NIE. If such a text is refused, its letter does not match its number. */
const isSpanishForm = (text: string): boolean => /^(\d|[XYZ])\d{7}[A-Z]$/.test(text)

const wrongLetter = (text: string) => ({
  key: 'validation.documentLetter',
  params: { number: text.slice(0, -1), letter: text.slice(-1).toUpperCase() },
})

/**
 * Adds the letter that follows from the digits of a DNI or NIE. X, Y and Z stand for 0, 1 and 2 before the seven digits of a foreigner in Spain. Any
 * other text is returned unchanged.
 */
export const withLetter = (text: string): string =>
  /^[\dXYZ]\d{7}$/.test(text) ? `${text}${dniLetter(Number(text.replace(/^[XYZ]/, letter => String('XYZ'.indexOf(letter)))))}` : text

function isFiscalCode(text: string): boolean {
  if (!/^[A-Z]{6}[\dLMNPQRSTUV]{2}[ABCDEHLMPRST][\dLMNPQRSTUV]{2}[A-Z][\dLMNPQRSTUV]{3}[A-Z]$/.test(text)) return false
  // Namesakes born on one day get letters in place of digits, from the right (omocodia). These are converted back to read the day.
  const day = Number(text.slice(9, 11).replace(/[L-V]/g, digitOf))
  return ((day >= 1 && day <= 31) || (day >= 41 && day <= 71)) && text.charAt(15) === fiscalCodeLetter(text.slice(0, 15))
}

const digitOf = (letter: string): string => String('LMNPQRSTUV'.indexOf(letter))

/** Cartão de cidadão: a number with its check digit, two characters for the card's version, and a check digit of all. */
const isCitizenCard = (text: string): boolean => /^\d{9}[A-Z0-9]{2}\d$/.test(text) && passesCitizenCard(text)

/** The number of the bilhete de identidade, with or without its check digit. The cartão de cidadão keeps it. */
const isCivilNumber = (text: string): boolean =>
  /^\d{7,8}$/.test(text) || (/^\d{9}$/.test(text) && text.charAt(8) === String(portugueseControl(text.slice(0, 8))))

const isPortuguesePassport = (text: string): boolean => /^[A-Z]{1,2}\d{6}$/.test(text)

/** Passports and residence cards (ICAO 9303: at most nine characters). The UK has no identity card. */
const isMachineReadable = (text: string): boolean => /^[A-Z0-9]{5,9}$/.test(text) && /\d/.test(text)

const isDrivingLicence = (text: string): boolean => /^[A-Z9]{5}\d{6}[A-Z9]{2}[A-Z0-9]{3}$/.test(text)

/**
 * A person's name has a letter of any script and no digit. A digit means a document number or a date in the wrong field. A dash or a point stands for
 * a missing second surname.
 */
export const personName = textRule(
  text => /^[-.]$/.test(text.trim()) || (/\p{L}/u.test(text) && !/\p{Nd}/u.test(text)),
  () => ({ key: 'validation.personName' }),
)
