import { expect, test } from 'vitest'
import { policyTrip } from './many-trips.ts'
import { basisOf, today, tripOf } from './testing.ts'

const annual = basisOf('ANN')
const dates = ({ trip: { startDate, endDate }, tooLong }: ReturnType<typeof policyTrip>) => [startDate, endDate, tooLong?.params?.['limit']]
const policyOf = (days: number, inDays: number) => dates(policyTrip(annual, tripOf(380, days, [34], { inDays }), today))

test('a policy with a term begins with the trip, else on the last day on which it can begin', () => {
  expect(policyOf(8, 11)).toEqual(['2026-12-01', '2027-11-30', undefined])
  expect(policyOf(8, 60)).toEqual(['2027-01-19', '2028-01-18', undefined])
  expect(policyOf(8, 61)).toEqual(['2027-01-19', '2028-01-18', undefined])
  expect(policyOf(8, 360)).toEqual(['2027-01-19', '2028-01-18', undefined])
})

test('a trip longer than the product allows for each trip has no term', () => {
  expect(policyOf(60, 11)).toEqual(['2026-12-01', '2027-11-30', undefined])
  expect(policyOf(61, 11)).toEqual(['2026-12-01', '2027-11-30', 60])
  expect(policyOf(61, 100)).toEqual(['2027-01-19', '2028-01-18', 60])
})

test('a trip that ends after the term keeps its dates, also where a product limits no trip', () => {
  const { maxTripDays: _, ...settings } = annual.settings
  const trip = tripOf(380, 400, [34], { inDays: 11 })
  expect(policyTrip({ ...annual, settings }, trip, today)).toEqual({ trip })
})

test('a trip after the latest term, a whole term, and a trip of another product keep their first day', () => {
  expect(policyOf(8, 420)).toEqual(['2028-01-14', '2029-01-13', undefined])
  expect(policyOf(365, 11)).toEqual(['2026-12-01', '2027-11-30', undefined])
  const trip = tripOf(380, 8, [34])
  expect(policyTrip(basisOf('ESS'), trip, today)).toEqual({ trip })
})
