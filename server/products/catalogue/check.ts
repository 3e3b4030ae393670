import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import { isCountry } from '#common/geography/countries.ts'
import { textOn } from '#common/kit/contrast.ts'
import { isIban } from '#common/kit/validators/accounts.ts'
import type { Taxes, Zones } from '#common/products/tariff.ts'
import { type Catalogue, readCatalogue } from './files.ts'
import type { CatalogueProblem } from './shape.ts'
import { checkDocuments } from '../checks/documents.ts'
import { checkProduct } from '../checks/product.ts'
import { checkServicing } from '../checks/servicing.ts'
import { checkTickets } from '../checks/tickets.ts'

/** Opens a folder's catalogue, or returns all its problems. */
export function openCatalogue(folder: string): { catalogue?: Catalogue; problems: CatalogueProblem[] } {
  const { found, problems: shape } = readCatalogue(folder)
  const problems = [...shape, ...checkCatalogue(found)]
  // Safe: without problems every part was read.
  return problems.length === 0 ? { catalogue: found as Catalogue, problems } : { problems }
}

/** Finds problems beyond the schema: unknown names, overlapping rows and gaps, trips that are allowed but have no price. */
function checkCatalogue(found: Partial<Catalogue>): CatalogueProblem[] {
  const { units = [], insurer, zones, taxes, products = [] } = found
  return [
    ...Object.entries(insurer?.accounts ?? {}).flatMap(([currency, iban]) => checkAccount(currency, iban)),
    ...duplicates('business-units.json', units, (unit, index) => [unit.key, `[${index}].key`]),
    ...(insurer?.country === undefined || isCountry(insurer.country)
      ? []
      : [{ file: 'insurer.json', path: 'country', problem: notACountry(insurer.country) }]),
    ...units.flatMap((unit, index) => checkUnit(unit, index, taxes)),
    ...(zones ? checkZones(zones) : []),
    ...(taxes ? checkTaxes(taxes) : []),
    ...products
      .filter((product, index) => products.findIndex(other => other.id === product.id) !== index)
      .map(({ code, id }) => ({ file: `products/${code}.json`, path: 'id', problem: `${id} is the id of another product` })),
    ...products.flatMap(product => checkProduct(product, found)),
    ...checkDocuments(found),
    ...checkTickets(found),
    ...checkServicing(found),
  ]
}

const notACountry = (id: number | string): string => `${id} is no country of ISO 3166-1`
const notACurrency = (code: string): string => `"${code}" is no currency of ISO 4217`
const notAnIban = (text: string): string => `"${text}" is no valid IBAN`

const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)

function checkAccount(currency: string, iban: string): CatalogueProblem[] {
  const at = (problem: string): CatalogueProblem => ({ file: 'insurer.json', path: `accounts.${currency}`, problem })
  return [...(isCurrency(currency) ? [] : [at(notACurrency(currency))]), ...(isIban(iban) ? [] : [at(notAnIban(iban))])]
}

function duplicates<T>(
  file: string,
  entries: readonly T[],
  nameOf: (entry: T, index: number) => [name: string, path: string],
): CatalogueProblem[] {
  const names = entries.map((entry, index) => nameOf(entry, index)[0])
  return entries.flatMap((entry, index) => {
    const [name, path] = nameOf(entry, index)
    return names.indexOf(name) === index ? [] : [{ file, path, problem: `${name} is given twice` }]
  })
}

function checkUnit(unit: CatalogueUnit, index: number, taxes: Taxes | undefined): CatalogueProblem[] {
  const at = (path: string, problem: string): CatalogueProblem => ({ file: 'business-units.json', path: `[${index}].${path}`, problem })
  return [
    ...(isTimeZone(unit.timeZone) ? [] : [at('timeZone', `"${unit.timeZone}" is no time zone; expected one such as "Europe/Madrid"`)]),
    ...(isCurrency(unit.currency) ? [] : [at('currency', notACurrency(unit.currency))]),
    ...(isCountry(unit.country) ? [] : [at('country', notACountry(unit.country))]),
    ...(isCountry(unit.address.country) ? [] : [at('address.country', notACountry(unit.address.country))]),
    ...(!taxes || taxes[unit.country] ? [] : [at('country', `taxes.json has no taxes for ${unit.country}`)]),
    ...(isIban(unit.billingInfo.iban) ? [] : [at('billingInfo.iban', notAnIban(unit.billingInfo.iban))]),
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

function checkZones({ zones, excludedCountries }: Zones): CatalogueProblem[] {
  const at = (path: string, problem: string): CatalogueProblem => ({ file: 'zones.json', path, problem })
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
    ...duplicates('zones.json', zones, (zone, index) => [zone.id, `zones[${index}].id`]),
    ...(homes === 1 ? [] : [at('zones', `${homes} zones are "home"; expected one`)]),
    ...(rests === 1 ? [] : [at('zones', `${rests} zones are the "rest"; expected one`)]),
    ...zones.flatMap(({ id, home, rest, countries: own }, index) =>
      [home, rest, own].filter(Boolean).length === 1
        ? []
        : [at(`zones[${index}]`, `${id} is not exactly one of: home, rest, a list of countries`)],
    ),
    ...[...listed, ...excluded, ...also].filter(({ id }) => !isCountry(id)).map(({ id, path }) => at(path, notACountry(id))),
    ...duplicates('zones.json', listed, ({ id, path }) => [String(id), path]),
    ...duplicates('zones.json', excluded, ({ id, path }) => [String(id), path]),
  ]
}

function checkTaxes(taxes: Taxes): CatalogueProblem[] {
  return Object.entries(taxes).flatMap(([id, lines]) => [
    ...(isCountry(Number(id)) ? [] : [{ file: 'taxes.json', path: id, problem: notACountry(id) }]),
    ...duplicates('taxes.json', lines, (line, index) => [line.code, `${id}[${index}].code`]),
    ...lines.flatMap((line, index) => {
      const problems = 'rateBp' in line ? aboveWhole({ rateBp: [line.rateBp, 10_000], sharePercent: [line.sharePercent, 100] }) : []
      return problems.map(([field, problem]) => ({ file: 'taxes.json', path: `${id}[${index}].${field}`, problem }))
    }),
  ])
}

/** Names the parts of a premium that are more than the premium. */
const aboveWhole = (parts: Record<string, readonly [part: number, whole: number]>): [field: string, problem: string][] =>
  Object.entries(parts).flatMap(([field, [part, whole]]) =>
    part <= whole ? [] : [[field, `is ${part}; expected ${whole} (100 %) at most`]],
  )
