import { intlTag, languageOf, type Locale } from '#common/kit/locales.ts'
import type { Coverage } from './catalogue.ts'

/** The covers of each group. Groups are compared in this order (docs/decisions/0034-cover-codes.md). */
const covers = {
  cancellation: ['trip', 'changes', 'name-change', 'agency-fee', 'insolvency', 'excess'],
  interruption: ['trip', 'early-return'],
  medical: ['home', 'spain-andorra', 'europe', 'world', 'high-cost', 'dental', 'psychology'],
  repatriation: ['medical', 'remains'],
  assistance: ['companions', 'relative', 'relative-travel', 'relative-stay', 'hotel', 'quarantine'],
  luggage: ['loss', 'item', 'delay', 'laptop', 'passport', 'equipment', 'equipment-delay'],
  delay: ['travel'],
  connection: ['missed'],
  accident: ['capital'],
  liability: ['private', 'bail'],
  sports: ['rescue', 'unused', 'closure'],
  studies: ['fees', 'visits'],
} as const satisfies Record<string, readonly string[]>

export type CoverGroup = keyof typeof covers

// Safe: these are the keys of a constant.
export const coverGroups = Object.keys(covers) as CoverGroup[]

/** Returns the codes of a group's covers: `medical.europe`. */
export const coverCodesOf = (group: CoverGroup): string[] => covers[group].map(name => `${group}.${name}`)

/** Returns the group of a code; undefined without a code, and for an unknown group. */
export function coverGroupOf(code: string | null | undefined): CoverGroup | undefined {
  const name = code?.split('.')[0]
  return coverGroups.find(group => group === name)
}

type Coded = { code?: string | undefined; restriction?: true | undefined }

/** Returns the groups that a product covers. A restriction covers nothing. Undefined if a cover has no code, as its group is then unknown. */
export function groupsCovered(coverages: readonly Coded[]): CoverGroup[] | undefined {
  const groups = coverages.filter(({ restriction }) => !restriction).map(({ code }) => coverGroupOf(code))
  return groups.every(group => group !== undefined) ? [...new Set(groups)] : undefined
}

/** The reader's language, and the currency of limits, which is that of the selling unit. */
export type Reader = { locale: Locale; currency: string }

/** Returns a limit as money, without zero cents, or its text. */
export const coverageValue = (coverage: Coverage, reader: Reader): string =>
  'limit' in coverage ? roundMoney(coverage.limit, reader) : coverage.value[languageOf(reader.locale)]

export function roundMoney(cents: number, { locale, currency }: Reader): string {
  const name = `${locale} ${currency} ${cents % 100 === 0}`
  const format = formats.get(name) ?? makeFormat(locale, currency, cents % 100 === 0)
  formats.set(name, format)
  return format.format(cents / 100)
}

/** Creating a format costs a hundred times its use. */
const formats = new Map<string, Intl.NumberFormat>()

const makeFormat = (locale: Locale, currency: string, whole: boolean): Intl.NumberFormat =>
  new Intl.NumberFormat(intlTag(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
    useGrouping: 'always',
  })
