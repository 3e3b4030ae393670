import { cityNames } from '#common/geography/cities.ts'
import { otherCountryNames } from '#common/geography/other-names.ts'
import { ownRegionNames, regionNames } from '#common/geography/regions.ts'
import { folded } from '#portal/kit/combobox/folded.ts'
import type { Option } from '#portal/kit/combobox/options.ts'

export { isCruise } from '#common/geography/regions.ts'

const cities = Map.groupBy(cityNames, ([, { country }]) => country)
const foldedAll = (names: readonly string[]): string[] => names.map(folded)

/** Returns the names by which a country is found: its own, its cities and regions, and the regions to which it belongs with others. */
export const placesOf = (alpha2: string): Required<Pick<Option, 'also' | 'places' | 'regions'>> => ({
  also: otherCountryNames.get(alpha2)?.join(' '),
  places: foldedAll([...(cities.get(alpha2) ?? []).map(([name]) => name), ...(ownRegionNames.get(alpha2) ?? [])]),
  regions: foldedAll(regionNames.get(alpha2) ?? []),
})
