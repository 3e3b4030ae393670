import { iso31661 } from 'iso-3166'
import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import type { Tariff, Zones } from '#common/products/tariff.ts'
import type { Catalogue, Fault } from './catalogue-files.ts'

const countries = new Set(iso31661.map(country => Number(country.numeric)))

/** What no schema sees: names that point nowhere, rows that overlap or leave gaps, trips that settings allow and no price covers. */
export function checkCatalogue(catalogue: Catalogue): Fault[] {
  return [
    ...duplicates(
      'business-units.json',
      catalogue.units.map(unit => unit.key),
    ),
    ...duplicates(
      'products',
      catalogue.products.map(product => product.code),
    ),
    ...duplicates(
      'products',
      catalogue.products.map(product => `id ${product.id}`),
    ),
    ...catalogue.units.flatMap((unit, index) => checkUnit(unit, index, catalogue)),
    ...checkZones(catalogue.zones),
    ...Object.keys(catalogue.taxes).flatMap(id =>
      countries.has(Number(id)) ? [] : [{ file: 'taxes.json', path: id, fault: 'is no country of ISO 3166-1' }],
    ),
    ...catalogue.products.flatMap(product => checkProduct(product, catalogue)),
  ]
}

function duplicates(file: string, names: string[]): Fault[] {
  return names.filter((name, index) => names.indexOf(name) !== index).map(name => ({ file, path: name, fault: 'is given twice' }))
}

function checkUnit(unit: CatalogueUnit, index: number, catalogue: Catalogue): Fault[] {
  const at = (path: string, fault: string): Fault => ({ file: 'business-units.json', path: `[${index}].${path}`, fault })
  return [
    ...(Intl.supportedValuesOf('timeZone').includes(unit.timeZone) ? [] : [at('timeZone', `'${unit.timeZone}' is no time zone`)]),
    ...(Intl.supportedValuesOf('currency').includes(unit.currency) ? [] : [at('currency', `'${unit.currency}' is no currency`)]),
    ...(countries.has(unit.country) ? [] : [at('country', `${unit.country} is no country of ISO 3166-1`)]),
    ...(catalogue.taxes[unit.country] ? [] : [at('country', `taxes.json has no taxes for ${unit.country}`)]),
    ...(isIban(unit.billingInfo.iban) ? [] : [at('billingInfo.iban', 'is no valid IBAN')]),
  ]
}

/** ISO 13616: the whole, turned to digits with the first four characters last, leaves 1 when divided by 97. */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = Array.from(text.slice(4) + text.slice(0, 4), letter => Number.parseInt(letter, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

function checkZones({ zones, excludedCountries }: Zones): Fault[] {
  const at = (path: string, fault: string): Fault => ({ file: 'zones.json', path, fault })
  const homes = zones.filter(zone => zone.home).length
  const rests = zones.filter(zone => zone.rest).length
  const listed = zones.flatMap((zone, index) => (zone.countries ?? []).map(id => ({ id, path: `zones[${index}].countries` })))
  const unknown = [...listed, ...excludedCountries.map(id => ({ id, path: 'excludedCountries' }))].filter(({ id }) => !countries.has(id))
  return [
    ...duplicates(
      'zones.json',
      zones.map(zone => zone.id),
    ),
    ...(homes === 1 ? [] : [at('zones', `exactly one zone is home; ${homes} are`)]),
    ...(rests === 1 ? [] : [at('zones', `exactly one zone is the rest; ${rests} are`)]),
    ...unknown.map(({ id, path }) => at(path, `${id} is no country of ISO 3166-1`)),
    ...listed
      .filter(({ id }, index) => listed.findIndex(other => other.id === id) !== index)
      .map(({ id, path }) => at(path, `${id} is listed twice`)),
  ]
}

function checkProduct(product: CatalogueProduct, catalogue: Catalogue): Fault[] {
  const at = (path: string, fault: string): Fault => ({ file: `products/${product.code}.json`, path, fault })
  const { settings, tariff } = product
  const unitKeys = new Set(catalogue.units.map(unit => unit.key))
  const places = [...settings.countries, settings.defaultDestinationCountry, settings.defaultOriginRegion]
  return [
    ...Object.keys(product.commissionPercent)
      .filter(key => !unitKeys.has(key))
      .map(key => at(`commissionPercent.${key}`, 'names a unit that business-units.json does not have')),
    ...places
      .filter(place => typeof place === 'number' && !countries.has(place))
      .map(place => at('settings', `${place} is no country of ISO 3166-1`)),
    ...(settings.lockDestinationCountry && settings.defaultDestinationCountry === null
      ? [at('settings.lockDestinationCountry', 'locks a destination that is not given')]
      : []),
    ...outOfOrder(settings.minTravelLength, settings.maxTravelLength, 'settings.minTravelLength', at),
    ...outOfOrder(settings.minPax, settings.maxPax, 'settings.minPax', at),
    ...outOfOrder(settings.minAge, settings.maxAge, 'settings.minAge', at),
    ...(settings.hasAmountCancellation === Boolean(tariff.cancellation)
      ? []
      : [at('settings.hasAmountCancellation', 'does not agree with tariff.cancellation')]),
    ...checkRows(tariff.ages, settings.minAge, settings.maxAge).map(fault => at('tariff.ages', fault)),
    ...(tariff.cancellation
      ? checkRows(tariff.cancellation.ages, settings.minAge, settings.maxAge).map(fault => at('tariff.cancellation.ages', fault))
      : []),
    ...(tariff.groups ? checkRows(tariff.groups, settings.minPax, settings.maxPax).map(fault => at('tariff.groups', fault)) : []),
    ...checkBase(product, catalogue.zones, at),
  ]
}

type At = (path: string, fault: string) => Fault

const outOfOrder = (least: number, most: number, path: string, at: At): Fault[] =>
  least <= most ? [] : [at(path, `is above its counterpart: ${least} > ${most}`)]

/** Rows [from, to, …] must follow one another without gap or overlap and cover all that the settings allow. */
function checkRows(rows: readonly (readonly [number, number, number])[], least: number, most: number): string[] {
  const faults: string[] = []
  if ((rows[0]?.[0] ?? Number.POSITIVE_INFINITY) > least) faults.push(`does not cover ${least}`)
  if ((rows.at(-1)?.[1] ?? -1) < most) faults.push(`does not cover ${most}`)
  rows.forEach(([from, to], index) => {
    if (from > to) faults.push(`row ${index}: ${from} is after ${to}`)
    const before = rows[index - 1]
    if (before && from <= before[1]) faults.push(`rows ${index - 1} and ${index} overlap at ${from}`)
    if (before && from > before[1] + 1) faults.push(`nothing covers ${before[1] + 1} to ${from - 1}`)
  })
  return faults
}

function checkBase({ settings, tariff }: CatalogueProduct, { zones }: Zones, at: At): Fault[] {
  const { base } = tariff
  if (base.kind === 'none') return []
  const unknown = Object.keys(base.net)
    .filter(id => !zones.some(zone => zone.id === id))
    .map(id => at(`tariff.base.net.${id}`, 'is no zone of zones.json'))
  if (Object.keys(base.net).length === 0) unknown.push(at('tariff.base.net', 'has no price for any zone'))
  return [...unknown, ...checkDays(base, settings).map(([path, fault]) => at(`tariff.base.${path}`, fault))]
}

type Base = Tariff['base']

function checkDays(base: Exclude<Base, { kind: 'none' }>, settings: CatalogueProduct['settings']): [string, string][] {
  switch (base.kind) {
    case 'bands':
      return [
        ...base.upToDays.flatMap((days, index): [string, string][] =>
          index > 0 && days <= (base.upToDays[index - 1] ?? 0) ? [[`upToDays[${index}]`, 'does not rise']] : [],
        ),
        ...((base.upToDays.at(-1) ?? 0) < settings.maxTravelLength
          ? [['upToDays', `ends before maxTravelLength ${settings.maxTravelLength}`] as [string, string]]
          : []),
        ...Object.entries(base.net).flatMap(([zone, net]): [string, string][] =>
          net.length === base.upToDays.length ? [] : [[`net.${zone}`, `has ${net.length} prices for ${base.upToDays.length} bands`]],
        ),
      ]
    case 'perDay':
      return checkRows(base.discount, settings.minTravelLength, settings.maxTravelLength).map(fault => ['discount', fault])
    case 'perMonth': {
      const months = (days: number) => Math.ceil(days / base.monthDays)
      return checkRows(base.discount, months(settings.minTravelLength), months(settings.maxTravelLength)).map(fault => ['discount', fault])
    }
    case 'term':
      return []
  }
}
