import { daysInMonth } from '#common/kit/dates.ts'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import { coverCodesOf, coverGroupOf, coverGroups } from '#common/products/cover.ts'
import type { Zones } from '#common/products/tariff.ts'
import { isCountry } from '#common/geography/countries.ts'
import type { Catalogue } from '#server/products/catalogue/files.ts'
import type { CatalogueProblem } from '#server/products/catalogue/shape.ts'
import { checkRows, checkSteps, checkTariffDays } from './tariff.ts'

type PathProblem = [path: string, problem: string]

/** Checks one product: whatever its settings allow must have a price, in known units and places. */
export function checkProduct(product: CatalogueProduct, { units, zones }: Partial<Catalogue>): CatalogueProblem[] {
  const keys = units?.map(unit => unit.key)
  const found: PathProblem[] = [
    ...Object.keys(product.commissionPercent)
      .filter(key => keys && !keys.includes(key))
      .map((key): PathProblem => [`commissionPercent.${key}`, `is of no unit; business-units.json has ${keys?.join(', ')}`]),
    ...checkNames('coverages', product.coverages),
    ...checkNames('detailsFeatured', product.detailsFeatured),
    ...checkCodes(product.coverages),
    ...checkBounds(product),
    ...checkInsures(product),
    ...checkPlaces(product, zones),
    ...checkTariff(product),
    ...(zones ? checkZoneNames(product, zones) : []),
  ]
  return found.map(([path, problem]) => ({ file: `products/${product.code}.json`, path, problem }))
}

/** The English name gives such an item its stable id, so it must be unique. */
function checkNames(list: string, items: readonly { name: { en: string } }[]): PathProblem[] {
  const names = items.map(item => item.name.en)
  return names.flatMap((name, index): PathProblem[] =>
    names.indexOf(name) === index ? [] : [[`${list}[${index}].name.en`, `"${name}" is given twice`]],
  )
}

/** Checks that each cover has a code of its own: products are compared, and claims questioned, by these codes. */
function checkCodes(coverages: CatalogueProduct['coverages']): PathProblem[] {
  const codes = coverages.map(({ code }) => code)
  return codes.flatMap((code, index): PathProblem[] => {
    const path = `coverages[${index}].code`
    if (code === undefined) return [[path, 'is missing; expected one such as "medical.europe"']]
    const group = coverGroupOf(code)
    if (!group) return [[path, `"${code}" is in no group of covers; expected one of ${coverGroups.join(', ')}`]]
    if (!coverCodesOf(group).includes(code)) return [[path, `"${code}" is no cover; ${group} has ${coverCodesOf(group).join(', ')}`]]
    return codes.indexOf(code) === index ? [] : [[path, `"${code}" is given twice`]]
  })
}

function checkBounds({ settings, tariff }: CatalogueProduct): PathProblem[] {
  const order = (
    lower: keyof typeof settings & `${'min' | 'start'}${string}`,
    upper: Exclude<keyof typeof settings, 'maxTripDays'> & `max${string}`,
  ): PathProblem[] =>
    settings[lower] <= settings[upper] ? [] : [[`settings.${lower}`, `is ${settings[lower]}, above ${upper} ${settings[upper]}`]]
  const lastEnd = settings.startDayOffset + settings.minTravelLength - 1
  return [
    ...order('minTravelLength', 'maxTravelLength'),
    ...order('minPax', 'maxPax'),
    ...order('minAge', 'maxAge'),
    ...order('startDayOffset', 'maxStartDate'),
    ...(settings.maxEndDate >= lastEnd
      ? []
      : [['settings.maxEndDate', `is ${settings.maxEndDate}; expected ${lastEnd} at least, or no trip can end`] satisfies PathProblem]),
    ...Object.entries(settings.season ?? {}).flatMap(([name, monthDay]): PathProblem[] =>
      isDayOfYear(monthDay) ? [] : [[`settings.season.${name}`, `"${monthDay}" is no day of the year`]],
    ),
    ...(settings.hasAmountCancellation === Boolean(tariff.cancellation)
      ? []
      : [['settings.hasAmountCancellation', 'does not agree with tariff.cancellation: expected both or neither'] satisfies PathProblem]),
    ...(settings.hasAmountCancellation && settings.maxTravelCost === 0
      ? [['settings.maxTravelCost', 'is 0, so no cancellation could be insured'] satisfies PathProblem]
      : []),
  ]
}

const checkInsures = ({ settings }: CatalogueProduct): PathProblem[] =>
  settings.insures ? [] : [['settings.insures', 'is missing; expected who may be insured, "origin" or "anyone"']]

const isDayOfYear = (monthDay: string): boolean => Number(monthDay.slice(3)) <= daysInMonth(2028, Number(monthDay.slice(0, 2)))

function checkPlaces({ settings }: CatalogueProduct, zones: Zones | undefined): PathProblem[] {
  const { countries, defaultDestinationCountry: destination } = settings
  const places: [string, number | 'unit' | null][] = [
    ...countries.map((id, index): [string, number | 'unit'] => [`settings.countries[${index}]`, id]),
    ['settings.defaultDestinationCountry', destination],
    ['settings.defaultOriginRegion', settings.defaultOriginRegion],
  ]
  return [
    ...places.flatMap(([path, id]): PathProblem[] => {
      if (typeof id !== 'number') return []
      if (!isCountry(id)) return [[path, `${id} is no country of ISO 3166-1; expected one, or "unit"`]]
      return zones?.excludedCountries.includes(id) ? [[path, `${id} is among the excludedCountries of zones.json`]] : []
    }),
    ...countries.flatMap((id, index): PathProblem[] =>
      countries.indexOf(id) === index ? [] : [[`settings.countries[${index}]`, `${id} is given twice`]],
    ),
    ...(settings.lockDestinationCountry && destination === null
      ? [['settings.lockDestinationCountry', 'locks a destination, and defaultDestinationCountry is null'] satisfies PathProblem]
      : []),
    ...(destination !== null && countries.length > 0 && !countries.includes(destination)
      ? [['settings.defaultDestinationCountry', `${destination} is not in settings.countries`] satisfies PathProblem]
      : []),
  ]
}

function checkTariff({ settings, tariff, accidentCapital }: CatalogueProduct): PathProblem[] {
  const { cancellation, groups, base } = tariff
  const under = (path: string, problems: string[]): PathProblem[] => problems.map(problem => [`tariff.${path}`, problem])
  return [
    ...under('ages', checkRows(tariff.ages, settings.minAge, settings.maxAge)),
    ...(cancellation
      ? [
          ...under('cancellation.ages', checkRows(cancellation.ages, settings.minAge, settings.maxAge)),
          ...under('cancellation.leadUpTo', checkSteps(cancellation.leadUpTo)),
          ...under('cancellation.costUpTo', checkSteps(cancellation.costUpTo)),
        ]
      : []),
    ...(groups ? under('groups', [...checkRows(groups, settings.minPax, settings.maxPax), ...checkDiscounts(groups)]) : []),
    ...checkTariffDays(base, settings).map(([path, problem]): PathProblem => [`tariff.base.${path}`, problem]),
    ...(base.kind === 'none' && !cancellation
      ? [['tariff.base', 'is "none" and there is no cancellation: nothing has a price'] satisfies PathProblem]
      : []),
    ...(accidentCapital > 1_000_000_000 ? [['accidentCapital', 'is above 10 million euros; it is in cents'] satisfies PathProblem] : []),
  ]
}

const checkDiscounts = (groups: readonly (readonly [number, number, number])[]): string[] =>
  groups.flatMap(([, , percent], index) => (percent <= 100 ? [] : [`row ${index}: takes off ${percent} %; expected 100 at most`]))

/** True if trips may go to every zone: no list of countries and no lock. */
const sellsAnywhere = ({ countries, lockDestinationCountry }: CatalogueProduct['settings']): boolean =>
  countries.length === 0 && !lockDestinationCountry

/** Checks that every net price belongs to a zone, and every destination of the product has a net price. */
function checkZoneNames({ settings, tariff }: CatalogueProduct, { zones }: Zones): PathProblem[] {
  const { base } = tariff
  if (base.kind === 'none') return []
  const priced = Object.keys(base.net)
  const zoneIds = zones.map(zone => zone.id)
  const zoneOf = (destination: number | 'unit') =>
    (destination === 'unit' ? zones.find(zone => zone.home) : zones.find(zone => zone.countries?.includes(destination)))?.id ??
    zones.find(zone => zone.rest)?.id ??
    ''
  const tied =
    settings.countries.length > 0 ? settings.countries : [settings.defaultDestinationCountry].filter(destination => destination !== null)
  return [
    ...priced
      .filter(id => !zoneIds.includes(id))
      .map((id): PathProblem => [`tariff.base.net.${id}`, `is no zone; zones.json has ${zoneIds.join(', ')}`]),
    ...(priced.length === 0 ? [['tariff.base.net', 'has no price for any zone'] satisfies PathProblem] : []),
    ...(sellsAnywhere(settings) && priced.length > 0
      ? zoneIds
          .filter(id => !priced.includes(id))
          .map((id): PathProblem => ['tariff.base.net', `has no price for ${id}, where the settings allow any destination`])
      : []),
    ...tied
      .filter(destination => !priced.includes(zoneOf(destination)))
      .map(
        (destination): PathProblem => [
          'tariff.base.net',
          `has no price for ${zoneOf(destination)}, where the settings' destination ${destination} lies`,
        ],
      ),
  ]
}
