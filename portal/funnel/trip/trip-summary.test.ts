import { expect, test } from 'vitest'
import { basisOf } from '#common/quotes/rating/testing.ts'
import { importInPage } from '#portal/kit/testing.ts'

const { zoneOf } = await importInPage(() => import('./trip-summary.tsx'))

test('the zone of many trips has the length of each', () => {
  const trip = { coverageScope: 724, mainDestination: [276, 76] }
  expect(zoneOf(basisOf('ANN'), trip)).toEqual({ zone: expect.objectContaining({ es: 'Mundo' }), months: 12, days: 60 })
  expect(zoneOf(basisOf('ESS'), trip)).toBeUndefined()
  expect(zoneOf(undefined, trip)).toBeUndefined()
})
