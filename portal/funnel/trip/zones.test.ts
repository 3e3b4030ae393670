import { expect, test } from 'vitest'
import { basisOf } from '#common/quotes/rating/testing.ts'
import { matching } from '#portal/kit/combobox/options.ts'
import { withZones, zoneOf } from './zones.ts'

const countries = [
  { value: 276, label: 'Alemania', detail: 'DE' },
  { value: 840, label: 'Estados Unidos', detail: 'US', also: 'usa' },
]
const found = (code: 'ANN' | 'ESS', query: string) =>
  matching(withZones(countries, basisOf(code), 724, 'es-ES'), query).map(({ label }) => label)

test('with many trips, a country is found by its zone, code and other names', () => {
  expect(found('ANN', 'europ')).toEqual(['Alemania'])
  expect(found('ANN', 'de')).toContain('Alemania')
  expect(found('ANN', 'usa')).toEqual(['Estados Unidos'])
  expect(found('ESS', 'europ')).toEqual([])
})

test('the zone of many trips has the length of each', () => {
  const trip = { coverageScope: 724, mainDestination: [276, 76] }
  expect(zoneOf(basisOf('ANN'), trip)).toEqual({ zone: expect.objectContaining({ es: 'Mundo' }), months: 12, days: 60 })
  expect(zoneOf(basisOf('ESS'), trip)).toBeUndefined()
  expect(zoneOf(undefined, trip)).toBeUndefined()
})
