import type { CatalogueProduct } from './catalogue.ts'

type Written = CatalogueProduct['settings']

/** A product's settings in one unit, with every `"unit"` replaced by a country. */
export type SettingsInUnit = Omit<Written, 'countries' | 'defaultDestinationCountry' | 'defaultOriginRegion'> & {
  countries: number[]
  defaultDestinationCountry: number | null
  defaultOriginRegion: number
}

/** docs/rating.md, step 1: `"unit"` stands for the business unit's own country. */
export function settingsInUnit(settings: Written, country: number): SettingsInUnit {
  const idOf = (id: number | 'unit') => (id === 'unit' ? country : id)
  const { countries, defaultDestinationCountry, defaultOriginRegion } = settings
  return {
    ...settings,
    countries: countries.map(idOf),
    defaultDestinationCountry: defaultDestinationCountry === null ? null : idOf(defaultDestinationCountry),
    defaultOriginRegion: idOf(defaultOriginRegion),
  }
}
