import { type Locale, locales } from '#common/kit/locales.ts'
import {
  countryOf,
  type RuleProblem,
  inCountry,
  isNothing,
  type RuleContext,
  textParam,
  textRule,
  upperAscii,
  type Validator,
} from './rule.ts'

/**
 * spec 5: invalidFormat for wrong characters, invalidPhoneFormat for a wrong number. `params.prefix`, from a form's own field, selects the country
 * instead of the unit. `params.abroad` is a country with unknown formats.
 */
export const validPhone: Validator = (value, context) => {
  if (isNothing(value)) return null
  if (typeof value !== 'string' || !/^\+?[\d-]{1,30}$/.test(value)) return { key: 'validation.invalidFormat' }
  const prefix = textParam(context.params, 'prefix') ?? ''
  if (prefix === '' && context.params?.['abroad'] === true)
    return /^(?:\+|00)?\d{4,14}$/.test(value) ? null : phoneProblem(context, 'abroad')
  if (prefix === '') return isPhone[context.locale].test(value) ? null : phoneProblem(context)
  const dialled = /^(?:\+|00)?([1-9]\d{0,3})$/.exec(prefix)?.[1]
  if (!dialled) return { key: 'validation.invalidPhonePrefix' }
  return (isPhoneAfter[dialled] ?? anywhere).test(value) ? null : phoneProblem(context, dialled)
}

const isPhone: Record<Locale, RegExp> = {
  'es-ES': /^(?:\+34|0034|34)?[679]\d{8}$/,
  'en-EN': /^\d{3}-?\d{3}-?\d{4}$/,
  'fr-FR': /^(?:0|\+33|0033|33)[1-9]\d{8}$/,
  'it-IT': /^(?:\+39|0039)?(?:3\d{8,9}|0\d{5,10})$/,
  'pt-PT': /^(?:\+351|00351|351)?[239]\d{8}$/,
}

const isPhoneAfter: Readonly<Record<string, RegExp>> = {
  '34': isPhone['es-ES'],
  '1': isPhone['en-EN'],
  '44': /^(?:0?[1-9]\d{8,9}|\d{3}-?\d{3}-?\d{4})$/,
  '33': /^(?:0|\+33|0033|33)?[1-9]\d{8}$/,
  '39': isPhone['it-IT'],
  '351': isPhone['pt-PT'],
}

/** ITU E.164: at most fifteen digits with the prefix. */
const anywhere = /^\d{4,14}$/

const prefixCountries: Readonly<Record<string, string>> = { '34': 'ES', '1': 'US', '44': 'GB', '33': 'FR', '39': 'IT', '351': 'PT' }

const phoneProblem = ({ locale }: RuleContext, dialled?: string): RuleProblem => ({
  key: 'validation.invalidPhoneFormat',
  // Without a prefix, the English format has ten digits, as after +1.
  params: { country: dialled ? (prefixCountries[dialled] ?? 'other') : locale === 'en-EN' ? 'US' : countryOf(locale) },
})

/** spec 5: es-ES postal codes 01000 to 52999; elsewhere the formats of the other four countries. */
export const validCodPostal = textRule(
  (text, { locale }) => isPostalCode[locale].test(upperAscii(text)),
  inCountry('validation.invalidCodPostal'),
)

const isPostalCode: Record<Locale, RegExp> = {
  'es-ES': /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
  'fr-FR': /^(?:0[1-9]|[1-8]\d|9[0-8])\d{3}$/,
  'it-IT': /^(?!0000|99)\d{5}$/,
  'pt-PT': /^[1-9]\d{3}-?\d{3}$/,
  'en-EN': /^(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d{1,2}|[A-HK-Y]\d[ABEHMNPRVWXY]) ?\d[ABD-HJLNP-UW-Z]{2})$/,
}

/** Returns the language whose formats apply in a country (ISO 3166-1 number). Five countries have their own. */
export const localeOfCountry = (country: number): Locale | undefined => locales.find(locale => countries[locale] === country)

const countries: Record<Locale, number> = { 'en-EN': 826, 'es-ES': 724, 'fr-FR': 250, 'it-IT': 380, 'pt-PT': 620 }

/** Returns the dialling code of a country, such as +34, for the five countries with their own formats. */
export function dialledFrom(country: number): string | undefined {
  const locale = localeOfCountry(country)
  return locale && dialling[locale]
}

const dialling: Record<Locale, string> = { 'en-EN': '+44', 'es-ES': '+34', 'fr-FR': '+33', 'it-IT': '+39', 'pt-PT': '+351' }
