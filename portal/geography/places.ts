import { useQuery } from '@tanstack/react-query'
import { listPlaces } from './list-places.ts'

export type State = { id: number; name: string; code: string }
export type City = { id: number; name: string; zipCode: string | null; zipCodes: string[] }

const day = 86_400_000

/** `loading` is true until the list is known, even if it is empty. */
export type Places<Place> = { places: Place[]; loading: boolean }

export const useStates = (country: number): Places<State> =>
  placesOf(useQuery({ queryKey: ['states', country], queryFn: () => listPlaces<State>(`states/${country}`), staleTime: day }))

export const useCities = (state: number | undefined): Places<City> =>
  placesOf(
    useQuery({
      queryKey: ['cities', state],
      queryFn: () => listPlaces<City>(`cities/${state}`),
      enabled: state !== undefined,
      staleTime: day,
    }),
  )

const placesOf = <Place>({ data, isLoading }: { data: Place[] | undefined; isLoading: boolean }): Places<Place> => ({
  places: data ?? [],
  loading: isLoading,
})
