import { describe, expect, test } from 'vitest'
import type { Change } from './asked/asked.ts'
import { previewChange } from './change.ts'
import type { Policy } from './state.ts'
import { now, person, sold } from './testing.ts'

/** A change of the residence or of the origin, by the people whom the product insures. */

const italy = { startDate: '2026-12-01', endDate: '2026-12-08', origin: 724, destinations: [380] }
const [spain, france] = [724, 250]

function policyOf(residenceCountryId: number | null, more: Partial<Policy> = {}): Policy {
  const people = [{ ...person('A', '1990-01-15'), residenceCountryId }, person('B', '1991-01-15')]
  return { ...sold({ product: 'ESS', soldAt: '2026-11-20T10:00:00Z', trip: italy, people }), ...more }
}

const refusalsOf = (policy: Policy, change: Change) =>
  previewChange(policy, { version: 1, change }, now('2026-11-25T10:00:00Z')).refusals.map(({ path, rule }) => `${path} ${rule}`)
const moved = (residenceCountryId: number | null): Change => ({ users: [{ personUuid: 'A', residenceCountryId }, { personUuid: 'B' }] })

describe('a product for people of the country of origin', () => {
  test('a product for residents refuses a move abroad, and accepts one back', () => {
    expect(refusalsOf(policyOf(null), moved(france))).toEqual(['users[0].residenceCountryId residence'])
    expect(refusalsOf(policyOf(france), moved(spain))).toEqual([])
    expect(refusalsOf(policyOf(france), moved(null))).toEqual([])
  })

  test('an origin other than a traveller’s stated residence is refused', () => {
    expect(refusalsOf(policyOf(spain), { countryOriginId: france })).toEqual(['countryOriginId residence'])
    expect(refusalsOf(policyOf(france), { countryOriginId: france })).toEqual([])
    expect(refusalsOf(policyOf(null), { countryOriginId: france })).toEqual([])
  })

  test('origin and residence are validated together', () => {
    expect(refusalsOf(policyOf(spain), { countryOriginId: france, ...moved(france) })).toEqual([])
    expect(refusalsOf(policyOf(france), { countryOriginId: spain, ...moved(380) })).toEqual(['users[0].residenceCountryId residence'])
  })

  test('an unchanged residence that was sold is accepted', () => {
    const renamed = { users: [{ personUuid: 'A', name: 'Ana' }, { personUuid: 'B' }] }
    expect(refusalsOf(policyOf(france), renamed)).toEqual([])
    expect(refusalsOf(policyOf(france), { endDate: '2026-12-10' })).toEqual([])
  })

  test('people who join are validated, but not a policyholder who stays at home', () => {
    const joins = { name: 'Eva', birthDate: '1992-01-15', docNumber: 'X7', residenceCountryId: france }
    expect(refusalsOf(policyOf(null), { users: [{ personUuid: 'A' }, { personUuid: 'B' }, joins] })).toEqual([
      'users[2].residenceCountryId residence',
    ])
    expect(refusalsOf(policyOf(null, { holder: 'stays' }), moved(france))).toEqual([])
  })

  test('a product that insures anyone accepts every residence', () => {
    const { edition } = policyOf(null)
    const settings = { ...edition.basis.settings, insures: 'anyone' as const }
    expect(refusalsOf(policyOf(null, { edition: { ...edition, basis: { ...edition.basis, settings } } }), moved(france))).toEqual([])
  })
})
