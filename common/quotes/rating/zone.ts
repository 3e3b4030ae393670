import type { Problem } from '#common/kit/problems.ts'
import type { Zone, Zones } from '#common/products/tariff.ts'
import type { Basis, NameOf } from './basis.ts'

/** rating.md, step 1: the zone of one destination, as seen from the country of origin. */
export function zoneOf(destination: number, origin: number, { zones }: Zones): Zone | undefined {
  const home = zones.find(zone => zone.home)
  if (home && (destination === origin || home.alsoHome?.[String(origin)]?.includes(destination))) return home
  return zones.find(zone => zone.countries?.includes(destination)) ?? zones.find(zone => zone.rest)
}

/** The trip's zone is the last one, in the order of the zones, among its destinations. */
export function tripZone(destinations: readonly number[], origin: number, zones: Zones): string | undefined {
  const reached = new Set(destinations.map(destination => zoneOf(destination, origin, zones)))
  return zones.zones.findLast(zone => reached.has(zone))?.id
}

export function placeProblems(basis: Basis, origin: number, destinations: readonly number[], nameOf: NameOf): Problem[] {
  return [...originProblems(basis, origin, nameOf), ...destinationProblems(basis, origin, destinations, nameOf)]
}

function originProblems({ settings }: Basis, origin: number, nameOf: NameOf): Problem[] {
  const name = nameOf(origin)
  const wrong = { path: 'countryOriginId', rule: 'coverage.origin', key: 'refusal.coverage.origin' }
  if (name === undefined) return [{ ...wrong, params: { country: String(origin) } }]
  if (!settings.lockOriginRegion || origin === settings.defaultOriginRegion) return []
  const only = nameOf(settings.defaultOriginRegion) ?? ''
  return [{ ...wrong, key: 'quotes.locked_origin', params: { country: name, only } }]
}

/** Names every country that is not covered. */
export function destinationProblems(basis: Basis, origin: number, destinations: readonly number[], nameOf: NameOf): Problem[] {
  const wrong = { path: 'countriesDestinationId', rule: 'coverage.destination', key: 'refusal.coverage.destination' }
  const named = (ids: readonly number[]) => ids.map(id => nameOf(id) ?? String(id)).join(', ')
  const { lockDestinationCountry, defaultDestinationCountry: only } = basis.settings
  const elsewhere = destinations.filter(id => lockDestinationCountry && id !== only)
  const uncovered = destinations.filter(id => nameOf(id) === undefined || !isCovered(basis, origin, id))
  if (uncovered.length > 0) return [{ ...wrong, params: { countries: named([...new Set([...uncovered, ...elsewhere])]) } }]
  if (elsewhere.length === 0) return []
  return [{ ...wrong, key: 'quotes.locked_destination', params: { countries: named(elsewhere), only: only === null ? '' : named([only]) } }]
}

function isCovered({ settings, tariff, zones }: Basis, origin: number, destination: number): boolean {
  if (zones.excludedCountries.includes(destination)) return false
  if (settings.countries.length > 0 && !settings.countries.includes(destination)) return false
  const zone = zoneOf(destination, origin, zones)
  return zone !== undefined && (tariff.base.kind === 'none' || tariff.base.net[zone.id] !== undefined)
}
