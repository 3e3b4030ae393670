import { expect, test } from 'vitest'
import { totalIn } from '#common/quotes/price-lines.ts'
import { now, person, type Sale, sold } from '../testing.ts'
import { previewEnding, refundSteps, refundUntil } from './cancel.ts'

const people = [person('A', '1986-01-15'), person('B', '1988-01-15')]
const sale = (product: Sale['product'], endDate: string): Sale => ({
  product,
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2026-12-01', endDate, origin: 724, destinations: [380] },
  people,
})
const steps = (of: Sale, at: string) => refundSteps(sold(of), now(at))
const at = (instant: string) => Date.parse(instant)

test('a full refund until departure falls to nothing in one step', () => {
  const policy = sold(sale('ESS', '2026-12-08'))
  expect(steps(sale('ESS', '2026-12-08'), '2026-11-25T10:00:00Z')).toEqual([
    { from: at('2026-11-25T10:00:00Z'), refund: totalIn(policy.charged), falls: false },
    { from: at('2026-11-30T23:00:00Z'), refund: 0, falls: false },
  ])
})

test('unused days whose refund falls daily are one step, also over a clock change', () => {
  const annual = sale('ANN', '2027-11-30')
  const found = steps(annual, '2026-11-25T10:00:00Z')
  expect(found.map(({ falls }) => falls)).toEqual([false, true, false])
  expect(found[0]?.refund).toBe(totalIn(sold(annual).charged))
  expect(found[1]?.from).toBe(at('2026-11-30T23:00:00Z'))
  expect(found[1]?.refund).toBeLessThan(totalIn(sold(annual).charged))
  expect(found[2]).toEqual({ from: at('2027-11-29T23:00:00Z'), refund: 0, falls: false })
})

test('there are no steps without a refund', () => {
  expect(steps(sale('ESS', '2026-12-08'), '2026-12-02T10:00:00Z')).toEqual([])
})

test('after a right of withdrawal ends, the contract’s refund of unused days applies', () => {
  const policy = { ...sold(sale('ANN', '2027-11-30')), channel: 'distance' as const, soldAt: at('2026-11-27T10:00:00Z') }
  const found = refundSteps(policy, now('2026-11-27T12:00:00Z'))
  expect(found.map(({ falls }) => falls)).toEqual([false, true, false])
  expect(found[1]?.from).toBe(at('2026-12-11T23:00:00Z'))
  expect(found[2]?.from).toBe(at('2027-11-29T23:00:00Z'))
  const preview = previewEnding(policy, { as: 'cancellation', version: 1 }, now('2026-11-27T12:00:00Z'))
  expect(refundUntil(policy, preview)).toBe(at('2027-11-29T23:00:00Z'))
})
