import type { Problem } from '#common/kit/problems.ts'
import type { Zone, Zones } from '#common/products/tariff.ts'
import type { Basis, CountryName } from './basis.ts'

/** Returns the zone of a destination, by country of origin (docs/rating.md, step 1). */
function zoneOf(destination: number, origin: number, { zones }: Zones): Zone | undefined {
  const home = zones.find(zone => zone.home)
  if (home && (destination === origin || home.alsoHome?.[String(origin)]?.includes(destination))) return home
  return zones.find(zone => zone.countries?.includes(destination)) ?? zones.find(zone => zone.rest)
}

/** Returns the trip's zone: the last one, in zone order, among its destinations. */
export function tripZone(destinations: readonly number[], origin: number, zones: Zones): string | undefined {
  const reached = new Set(destinations.map(destination => zoneOf(destination, origin, zones)))
  return zones.zones.findLast(zone => reached.has(zone))?.id
}

export function placeProblems(basis: Basis, origin: number, destinations: readonly number[], countryName: CountryName): Problem[] {
  const wrong = originProblems(basis, origin, countryName)
  // From a refused origin every destination would be refused, so the destinations are checked as from an allowed one.
  const from = wrong.length > 0 ? basis.settings.defaultOriginRegion : origin
  return [...wrong, ...destinationProblems(basis, from, destinations, countryName)]
}

function originProblems({ settings }: Basis, origin: number, countryName: CountryName): Problem[] {
  const name = countryName(origin)
  const { lockOriginRegion, defaultOriginRegion } = settings
  if (name !== undefined && (!lockOriginRegion || origin === defaultOriginRegion)) return []
  const params = { country: name ?? printable(origin), only: lockOriginRegion ? (countryName(defaultOriginRegion) ?? 'none') : 'none' }
  return [{ path: 'countryOriginId', rule: 'coverage.origin', key: 'refusal.coverage.origin', params }]
}

/** Returns a problem that names every country not covered, and the covered one if it is the only one. */
export function destinationProblems(basis: Basis, origin: number, destinations: readonly number[], countryName: CountryName): Problem[] {
  const { lockDestinationCountry, defaultDestinationCountry } = basis.settings
  const only = lockDestinationCountry ? defaultDestinationCountry : null
  const refused = destinations.filter(
    id => countryName(id) === undefined || (only !== null && id !== only) || !isCovered(basis, origin, id),
  )
  if (refused.length === 0) return []
  const countries = refused.map(id => countryName(id) ?? printable(id)).join(', ')
  const params = { countries, only: only === null || refused.includes(only) ? 'none' : (countryName(only) ?? 'none') }
  return [{ path: 'countriesDestinationId', rule: 'coverage.destination', key: 'refusal.coverage.destination', params }]
}

/** Formats an unknown country, as some values cannot even be converted to text. */
const printable = (id: unknown): string => (typeof id === 'number' ? String(id) : '?')

function isCovered({ settings, tariff, zones }: Basis, origin: number, destination: number): boolean {
  if (zones.excludedCountries.includes(destination)) return false
  if (settings.countries.length > 0 && !settings.countries.includes(destination)) return false
  const zone = zoneOf(destination, origin, zones)
  return zone !== undefined && (tariff.base.kind === 'none' || tariff.base.net[zone.id] !== undefined)
}
