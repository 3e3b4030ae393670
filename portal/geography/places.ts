import { useQuery } from '@tanstack/react-query'
import { belongsToProvince } from '#common/geography/postal-codes.ts'
import { queries } from '#portal/kit/queries.ts'
import { findPlaces, listPlaces } from './list-places.ts'

export type State = { id: number; name: string; code: string }
export type City = { id: number; name: string; zipCode: string | null; zipCodes: string[] }
type CityOfCode = { id: number; name: string; stateId: number; state: string }

const day = 86_400_000

/** `loading` is true until the list is known, even if it is empty. */
export type Places<Place> = { places: Place[]; loading: boolean }

export const useStates = (country: number): Places<State> =>
  placesOf(useQuery({ queryKey: statesKey(country), queryFn: () => findPlaces<State>(`states/${country}`), staleTime: day }))

export const useCities = (state: number | undefined): Places<City> =>
  placesOf(
    useQuery({
      queryKey: citiesKey(state),
      queryFn: () => findPlaces<City>(`cities/${state}`),
      enabled: state !== undefined,
      staleTime: day,
    }),
  )

/** Returns the cities that have this postal code, each with its province. */
export const citiesOfCode = (country: number, code: string): Promise<CityOfCode[]> =>
  listPlaces<CityOfCode>(`postal-codes/${country}/${encodeURIComponent(code)}`)

/** True if the code is unlikely for this province, as far as its cities are loaded. */
export function isDoubtful(country: number, province: string, code: string): boolean {
  const states = queries.getQueryData<State[]>(statesKey(country)) ?? []
  const cities = queries.getQueryData<City[]>(citiesKey(states.find(({ name }) => name === province)?.id)) ?? []
  return !belongsToProvince(code, country, cities)
}

const statesKey = (country: number) => ['states', country]
const citiesKey = (state: number | undefined) => ['cities', state]

const placesOf = <Place>({ data, isLoading }: { data: Place[] | undefined; isLoading: boolean }): Places<Place> => ({
  places: data ?? [],
  loading: isLoading,
})
