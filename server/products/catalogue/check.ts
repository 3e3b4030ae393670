import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import { isCountry } from '#common/geography/countries.ts'
import { textOn } from '#common/kit/contrast.ts'
import { isIban } from '#common/kit/validators/accounts.ts'
import type { Taxes, Zones } from '#common/products/tariff.ts'
import { type Catalogue, readCatalogue } from './files.ts'
import type { Fault } from './shape.ts'
import { checkDocuments } from '../checks/documents.ts'
import { checkProduct } from '../checks/product.ts'
import { checkTickets } from '../checks/tickets.ts'

/** A folder's catalogue when nothing is wrong with it; else every fault. */
export function openCatalogue(folder: string): { catalogue?: Catalogue; faults: Fault[] } {
  const { found, faults: shape } = readCatalogue(folder)
  const faults = [...shape, ...checkCatalogue(found)]
  return faults.length === 0 ? { catalogue: found as Catalogue, faults } : { faults }
}

/** What no schema sees: names that point nowhere, rows that overlap or leave gaps, trips that settings allow and no price covers. */
function checkCatalogue(found: Partial<Catalogue>): Fault[] {
  const { units = [], zones, taxes, products = [] } = found
  return [
    ...twice('business-units.json', units, (unit, index) => [unit.key, `[${index}].key`]),
    ...units.flatMap((unit, index) => checkUnit(unit, index, taxes)),
    ...(zones ? checkZones(zones) : []),
    ...(taxes ? checkTaxes(taxes) : []),
    ...products
      .filter((product, index) => products.findIndex(other => other.id === product.id) !== index)
      .map(({ code, id }) => ({ file: `products/${code}.json`, path: 'id', fault: `${id} is the id of another product` })),
    ...products.flatMap(product => checkProduct(product, found)),
    ...checkDocuments(found),
    ...checkTickets(found),
  ]
}

const noCountry = (id: number | string): string => `${id} is no country of ISO 3166-1`

function twice<T>(file: string, entries: readonly T[], nameOf: (entry: T, index: number) => [name: string, path: string]): Fault[] {
  const names = entries.map((entry, index) => nameOf(entry, index)[0])
  return entries.flatMap((entry, index) => {
    const [name, path] = nameOf(entry, index)
    return names.indexOf(name) === index ? [] : [{ file, path, fault: `${name} is given twice` }]
  })
}

function checkUnit(unit: CatalogueUnit, index: number, taxes: Taxes | undefined): Fault[] {
  const at = (path: string, fault: string): Fault => ({ file: 'business-units.json', path: `[${index}].${path}`, fault })
  return [
    ...(isTimeZone(unit.timeZone) ? [] : [at('timeZone', `"${unit.timeZone}" is no time zone; expected one such as "Europe/Madrid"`)]),
    ...(Intl.supportedValuesOf('currency').includes(unit.currency)
      ? []
      : [at('currency', `"${unit.currency}" is no currency of ISO 4217`)]),
    ...(isCountry(unit.country) ? [] : [at('country', noCountry(unit.country))]),
    ...(isCountry(unit.address.country) ? [] : [at('address.country', noCountry(unit.address.country))]),
    ...(!taxes || taxes[unit.country] ? [] : [at('country', `taxes.json has no taxes for ${unit.country}`)]),
    ...(isIban(unit.billingInfo.iban) ? [] : [at('billingInfo.iban', `"${unit.billingInfo.iban}" is no valid IBAN`)]),
    ...unit.gateways.flatMap((name, nth) =>
      unit.gateways.indexOf(name) === nth ? [] : [at(`gateways[${nth}]`, `${name} is given twice`)],
    ),
    ...(textOn(unit.accent) === '#ffffff'
      ? []
      : [at('accent', `white text on ${unit.accent} is hard to read; expected a darker colour (contrast of 4.5)`)]),
  ]
}

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

function checkZones({ zones, excludedCountries }: Zones): Fault[] {
  const at = (path: string, fault: string): Fault => ({ file: 'zones.json', path, fault })
  const homes = zones.filter(zone => zone.home).length
  const rests = zones.filter(zone => zone.rest).length
  const listed = zones.flatMap((zone, index) =>
    (zone.countries ?? []).map((id, nth) => ({ id, path: `zones[${index}].countries[${nth}]` })),
  )
  const excluded = excludedCountries.map((id, index) => ({ id, path: `excludedCountries[${index}]` }))
  const also = zones.flatMap((zone, index) =>
    Object.entries(zone.alsoHome ?? {}).flatMap(([origin, ids]) =>
      [Number(origin), ...ids].map(id => ({ id, path: `zones[${index}].alsoHome.${origin}` })),
    ),
  )
  return [
    ...twice('zones.json', zones, (zone, index) => [zone.id, `zones[${index}].id`]),
    ...(homes === 1 ? [] : [at('zones', `${homes} zones are "home"; expected one`)]),
    ...(rests === 1 ? [] : [at('zones', `${rests} zones are the "rest"; expected one`)]),
    ...zones.flatMap(({ id, home, rest, countries: own }, index) =>
      [home, rest, own].filter(Boolean).length === 1
        ? []
        : [at(`zones[${index}]`, `${id} is not exactly one of: home, rest, a list of countries`)],
    ),
    ...[...listed, ...excluded, ...also].filter(({ id }) => !isCountry(id)).map(({ id, path }) => at(path, noCountry(id))),
    ...twice('zones.json', listed, ({ id, path }) => [String(id), path]),
    ...twice('zones.json', excluded, ({ id, path }) => [String(id), path]),
  ]
}

function checkTaxes(taxes: Taxes): Fault[] {
  return Object.entries(taxes).flatMap(([id, lines]) => [
    ...(isCountry(Number(id)) ? [] : [{ file: 'taxes.json', path: id, fault: noCountry(id) }]),
    ...twice('taxes.json', lines, (line, index) => [line.code, `${id}[${index}].code`]),
  ])
}
