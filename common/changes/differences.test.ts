import { describe, expect, it } from 'vitest'
import type { Price } from '#common/quotes/price-lines.ts'
import { linesBetween, offeredChanges } from './differences.ts'

const trip = { startDate: '2026-12-01', endDate: '2026-12-08', origin: 724, destinations: [380] }
const ana = { personUuid: 'a', name: 'Ana', lastName: 'Gil', birthDate: '05/05/1990', docNumber: '1', email: 'ana@example.es' }
const leo = { personUuid: 'l', name: 'Leo', lastName: 'Gil', birthDate: '1988-01-01', docNumber: '2' }
const before = { trip, people: [ana, leo] }
const nothing = { dates: [], origin: undefined, destinations: undefined, amount: undefined, holder: undefined, people: [], contact: false }

describe('the changes of an offer', () => {
  it('equal facts are no change, whatever the date format and the order of countries', () => {
    const after = { trip: { ...trip }, people: [{ ...ana, birthDate: '1990-05-05' }, leo] }
    expect(offeredChanges(before, after)).toEqual(nothing)
    const places = (destinations: number[]) => ({ ...before, trip: { ...trip, destinations } })
    expect(offeredChanges(places([380, 250]), places([250, 380])).destinations).toBeUndefined()
  })

  it('different days, countries and amounts are changes', () => {
    const after = { ...trip, endDate: '2026-12-12', destinations: [380, 250], amountCents: 640_000, reservationDate: '2026-11-20' }
    expect(offeredChanges(before, { ...before, trip: after })).toEqual({
      ...nothing,
      dates: [
        { what: 'endDate', was: '2026-12-08', is: '2026-12-12' },
        { what: 'reservationDate', was: undefined, is: '2026-11-20' },
      ],
      destinations: { was: [380], is: [380, 250] },
      amount: { was: undefined, is: 640_000 },
    })
  })

  it('the country of origin is a change, and so is a policyholder who travelled before', () => {
    const after = { trip: { ...trip, origin: 380 }, people: [leo, ana] }
    expect(offeredChanges(before, after)).toEqual({ ...nothing, origin: { was: 724, is: 380 }, holder: { was: 'Ana Gil', is: 'Leo Gil' } })
  })

  it('joining, leaving and corrected people are named, without document and address', () => {
    const eva = { personUuid: null, name: 'Eva', lastName: 'Gil', birthDate: '2000-01-01', docNumber: '3' }
    const after = { trip, people: [{ ...ana, name: 'Anna', email: 'anna@example.es' }, eva] }
    const found = offeredChanges(before, after)
    expect(found.people).toEqual([
      { what: 'corrected', was: 'Ana Gil', is: 'Anna Gil' },
      { what: 'leaves', was: 'Leo Gil', is: null },
      { what: 'joins', was: null, is: 'Eva Gil' },
    ])
    expect([found.contact, found.holder]).toEqual([true, undefined])
    expect(JSON.stringify(found)).not.toContain('example.es')
  })

  it('the price is shown line by line, without lines of 0', () => {
    const charged = (premium: number, tax: number): Price => ({
      travelPremium: premium,
      cancellationPremium: 0,
      taxes: [{ code: 'IPS', label: 'Tax', rate: 8, sharePercent: null, amount: tax }],
      commission: 900,
    })
    expect(linesBetween(charged(3120, 250), charged(4700, 376))).toEqual([
      { kind: 'travel', code: null, label: null, was: 3120, is: 4700 },
      { kind: 'tax', code: 'IPS', label: 'Tax', was: 250, is: 376 },
    ])
  })
})
