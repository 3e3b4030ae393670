import { expect, test } from 'vitest'
import { now, person, type Sale, sold } from '../testing.ts'
import { refundSteps } from './steps.ts'

const people = [person('A', '1986-01-15'), person('B', '1988-01-15')]
const sale = (product: Sale['product'], endDate: string): Sale => ({
  product,
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2026-12-01', endDate, origin: 724, destinations: [380] },
  people,
})
const steps = (of: Sale, at: string) => refundSteps(sold(of), { as: 'cancellation' }, now(at))
const at = (instant: string) => Date.parse(instant)

test('a product that gives all back until departure falls to nothing in one step', () => {
  const policy = sold(sale('ESS', '2026-12-08'))
  expect(steps(sale('ESS', '2026-12-08'), '2026-11-25T10:00:00Z')).toEqual([
    { from: at('2026-11-25T10:00:00Z'), refund: policy.charged.total, falls: false },
    { from: at('2026-11-30T23:00:00Z'), refund: 0, falls: false },
  ])
})

test('unused days that give less each day are one step, over a change of the clock, too', () => {
  const annual = sale('ANN', '2027-11-30')
  const found = steps(annual, '2026-11-25T10:00:00Z')
  expect(found.map(({ falls }) => falls)).toEqual([false, true, false])
  expect(found[0]?.refund).toBe(sold(annual).charged.total)
  expect(found[1]?.from).toBe(at('2026-11-30T23:00:00Z'))
  expect(found[1]?.refund).toBeLessThan(sold(annual).charged.total)
  expect(found[2]).toEqual({ from: at('2027-11-29T23:00:00Z'), refund: 0, falls: false })
})

test('where nothing comes back there are no steps', () => {
  expect(steps(sale('ESS', '2026-12-08'), '2026-12-02T10:00:00Z')).toEqual([])
})
