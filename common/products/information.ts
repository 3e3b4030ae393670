import { countriesIn } from '#common/geography/countries.ts'
import { intlTag, languageOf } from '#common/kit/locales.ts'
import type { CatalogueInsurer, CatalogueProduct, Coverage } from './catalogue.ts'
import { coverageValue, type Reader, roundMoney } from './cover.ts'
import type { ConditionsFile, InformationFile, Passage, QuestionId } from './documents.ts'
import type { Tariff, Zones } from './tariff.ts'

/** A product with all data of its documents. */
export type Described = {
  product: Pick<CatalogueProduct, 'code' | 'name' | 'description' | 'coverages' | 'settings' | 'servicing'>
  tariff: Tariff
  insurer: CatalogueInsurer
  zones: Zones
}

/** `apart`: clauses that limit the cover, which the law wants to stand out. */
export type ProductDocument = { title: string; version: string; sections: { heading: string; items: string[]; apart?: true }[] }

/** Returns the IPID: nine questions and their answers, in the reader's language. */
export function productInformation(described: Described, file: InformationFile, reader: Reader): ProductDocument {
  const language = languageOf(reader.locale)
  return {
    title: file.title[language],
    version: file.version,
    sections: file.questions.map(({ id }) => answered(id, described, file, reader)),
  }
}

/** Returns the policy wording: the product's articles, numbered in order. */
export function policyWording(
  described: Described,
  { conditions, information }: { conditions: ConditionsFile; information: InformationFile },
  reader: Reader,
): ProductDocument {
  const language = languageOf(reader.locale)
  return {
    title: conditions.title[language],
    version: conditions.version,
    sections: conditions.articles
      .filter(article => appliesTo(described.product, article))
      .map(({ heading, answers = [], passages }) => ({
        heading: heading[language],
        items: [...answers.flatMap(id => answerTo(id, described, information, reader)), ...textsOf(passages, described, reader)],
        ...(answers.includes('notInsured') ? { apart: true as const } : {}),
      })),
  }
}

/** Returns one question with its answer. */
export const answered = (
  id: QuestionId,
  described: Described,
  file: InformationFile,
  reader: Reader,
): ProductDocument['sections'][number] => ({
  heading: file.questions.find(question => question.id === id)?.heading[languageOf(reader.locale)] ?? '',
  items: answerTo(id, described, file, reader),
})

function answerTo(id: QuestionId, described: Described, { questions }: InformationFile, reader: Reader): string[] {
  const passages = questions.find(question => question.id === id)?.passages ?? []
  return [...coversUnder(id, described.product.coverages, reader), ...textsOf(passages, described, reader)]
}

function coversUnder(id: QuestionId, coverages: readonly Coverage[], reader: Reader): string[] {
  if (id !== 'insured' && id !== 'restrictions') return []
  const language = languageOf(reader.locale)
  const colon = language === 'fr' ? '\u00a0: ' : ': '
  const lines: string[] = []
  for (const cover of coverages) {
    if ((cover.restriction === true) !== (id === 'restrictions')) continue
    const name = cover.name[language]
    const value = coverageValue(cover, reader)
    // A name with a leading hyphen is a limit within the preceding cover.
    if (name.startsWith('- ')) lines.push(`${lines.pop() ?? ''} (${name.slice(2)}${colon}${value})`)
    else lines.push(`${name}${colon}${value}`)
  }
  return lines
}

export type Audience = Pick<Passage, 'for' | 'except' | 'servicing' | 'insures'>

export const appliesTo = (
  { code, servicing: has, settings }: Pick<CatalogueProduct, 'code' | 'servicing' | 'settings'>,
  { for: only, except, servicing: wanted, insures = settings.insures }: Audience,
): boolean =>
  (only?.includes(code) ?? true) &&
  !except?.includes(code) &&
  (!wanted || (wanted.before === has?.before && wanted.during === has.during)) &&
  insures === settings.insures

function textsOf(passages: readonly Passage[], described: Described, reader: Reader): string[] {
  const applicable = passages.filter(passage => appliesTo(described.product, passage))
  if (applicable.length === 0) return []
  const words = wordsFor(described, reader)
  const language = languageOf(reader.locale)
  return applicable.map(({ text }) => text[language].replaceAll(placeholder, (written, name: string) => words[name] ?? written))
}

export const placeholder = /\{(\w+)\}/g

/** Returns the values of the placeholders. A missing figure is undefined; the catalogue's check reports texts that need it. */
export function wordsFor({ product, tariff, insurer, zones }: Described, reader: Reader): Record<string, string | undefined> {
  const { settings } = product
  const language = languageOf(reader.locale)
  const window = tariff.cancellation?.window
  const figure = (value: number | undefined) => (value === undefined ? undefined : String(value))
  const { country: _, accounts: __, ...ofInsurer } = insurer
  return {
    ...ofInsurer,
    product: product.name[language],
    description: product.description[language],
    excludedCountries: countryNames(zones.excludedCountries, reader),
    minDays: figure(settings.minTravelLength),
    maxDays: figure(settings.maxTravelLength),
    minPax: figure(settings.minPax),
    maxPax: figure(settings.maxPax),
    minAge: figure(settings.minAge),
    maxAge: figure(settings.maxAge),
    seasonFrom: settings.season && dayName(settings.season.from, reader),
    seasonTo: settings.season && dayName(settings.season.to, reader),
    maxCost: settings.hasAmountCancellation ? roundMoney(settings.maxTravelCost * 100, reader) : undefined,
    immediateDays: figure(window?.immediateDays),
    leastLeadDays: figure(window?.otherwiseLeastLeadDays),
    waitHours: figure(window?.waitHours),
    months: figure(tariff.base.kind === 'term' ? tariff.base.months : undefined),
  }
}

function countryNames(ids: readonly number[], { locale }: Reader): string {
  const names = countriesIn(locale).filter(({ id }) => ids.includes(id))
  return new Intl.ListFormat(intlTag(locale)).format(names.map(({ name }) => name))
}

/** Formats `11-01` as 1 November. A leap year allows 29 February; French writes the first of a month as 1er. */
function dayName(monthDay: string, { locale }: Reader): string {
  const format = new Intl.DateTimeFormat(intlTag(locale), { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const name = format.format(Date.UTC(2028, Number(monthDay.slice(0, 2)) - 1, Number(monthDay.slice(3))))
  return languageOf(locale) === 'fr' ? name.replace(/^1 /, '1er ') : name
}
