import { useQuery } from '@tanstack/react-query'
import { belongsToProvince } from '#common/geography/postal-codes.ts'
import { watchSlow } from '#portal/kit/connection.ts'
import { logOnly } from '#portal/kit/log.ts'
import { queries } from '#portal/kit/queries.ts'
import { localeNow } from '#portal/kit/words.tsx'

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

/** Returns a list of the shared geography. A failed request is logged and gives an empty list (spec 8). The user then types the place. */
export const listPlaces = async <Place>(path: string): Promise<Place[]> => (await ask<Place>(path).catch(logOnly(`loading ${path}`))) ?? []

/** Returns the same for a query. It rejects, so that a failure is not kept as an empty list. */
export async function findPlaces<Place>(path: string): Promise<Place[]> {
  const asked = ask<Place>(path)
  asked.catch(logOnly(`loading ${path}`))
  return asked
}

/** The user waits no longer for a list, as the place can be typed. */
const timeoutMs = 20_000

/** Throws unless the response says that it succeeded (spec 7, 8). */
async function ask<Place>(path: string): Promise<Place[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const request = fetch(`/geo/countries/${path}?locale=${localeNow()}`, { signal }).then(response => response.json())
  // Safe: the shared geography responds in this format (spec 7).
  const reply = (await watchSlow(request)) as { success: boolean; content: Place[] }
  if (!reply.success) throw new Error(path)
  return reply.content
}
