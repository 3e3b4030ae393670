import { useQuery } from '@tanstack/react-query'
import { logOnly } from '#portal/kit/log.ts'
import { localeNow } from '#portal/kit/words.tsx'

export type State = { id: number; name: string; code: string }
export type City = { id: number; name: string; zipCode: string | null; zipCodes: string[] }

const day = 86_400_000

/** Requests a list of the shared geography. Throws unless the reply says that it succeeded (spec 7, 8). */
async function ask<Place>(path: string): Promise<Place[]> {
  const response = await fetch(`/geo/countries/${path}?locale=${localeNow()}`)
  // Safe: the shared geography replies in this shape (spec 7).
  const reply = (await response.json()) as { success: boolean; content: Place[] }
  if (!reply.success) throw new Error(path)
  return reply.content
}

/** Returns an empty list if the request fails, and logs why (spec 8). The user then types the place. */
const listOrEmpty =
  <Place>(path: string) =>
  async (): Promise<Place[]> =>
    (await ask<Place>(path).catch(logOnly(`loading ${path}`))) ?? []

/** `loading` is true until the list is known, even if it is empty. */
export type Places<Place> = { places: Place[]; loading: boolean }

export const useStates = (country: number): Places<State> =>
  placesOf(useQuery({ queryKey: ['states', country], queryFn: listOrEmpty<State>(`states/${country}`), staleTime: day }))

export const useCities = (state: number | undefined): Places<City> =>
  placesOf(
    useQuery({ queryKey: ['cities', state], queryFn: listOrEmpty<City>(`cities/${state}`), enabled: state !== undefined, staleTime: day }),
  )

const placesOf = <Place>({ data, isLoading }: { data: Place[] | undefined; isLoading: boolean }): Places<Place> => ({
  places: data ?? [],
  loading: isLoading,
})
