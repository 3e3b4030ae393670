import { expect, test } from 'vitest'
import { settingsInUnit } from './settings.ts'

type Settings = Parameters<typeof settingsInUnit>[0]

/** Returns the countries of a product in an Italian unit. */
function inItaly(countries: Pick<Settings, 'countries' | 'defaultDestinationCountry' | 'defaultOriginRegion'>) {
  // Safe: the other settings are only passed on.
  const resolved = settingsInUnit(countries as Settings, 380)
  return [resolved.countries, resolved.defaultDestinationCountry, resolved.defaultOriginRegion]
}

test('the country "unit" becomes the unit’s own; any other is unchanged', { tags: 'S9.13' }, () => {
  expect(inItaly({ countries: [724, 'unit'], defaultDestinationCountry: 'unit', defaultOriginRegion: 'unit' })).toEqual([
    [724, 380],
    380,
    380,
  ])
  expect(inItaly({ countries: [], defaultDestinationCountry: 250, defaultOriginRegion: 620 })).toEqual([[], 250, 620])
  expect(inItaly({ countries: [], defaultDestinationCountry: null, defaultOriginRegion: 620 })).toEqual([[], null, 620])
})
