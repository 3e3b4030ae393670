import { useQuery } from '@tanstack/react-query'
import { logOnly } from '#portal/kit/log.ts'
import { localeNow } from '#portal/kit/words.tsx'

export type State = { id: number; name: string; code: string }
export type City = { id: number; name: string; zipCode: string | null; zipCodes: string[] }

const day = 86_400_000

/** The shared geography: without signing in, and a success only when it says so (spec 7, 8). */
async function ask<Place>(path: string): Promise<Place[]> {
  const reply = await fetch(`/geo/countries/${path}?locale=${localeNow()}`)
  const said = (await reply.json()) as { success: boolean; content: Place[] }
  if (!said.success) throw new Error(path)
  return said.content
}

/** spec 8: what cannot be loaded is logged, and the list is empty; then the place is typed. */
const orNone =
  <Place>(path: string) =>
  async (): Promise<Place[]> =>
    (await ask<Place>(path).catch(logOnly(`loading ${path}`))) ?? []

/** `loading` until the list is known, be it empty. */
export type Places<Place> = { places: Place[]; loading: boolean }

export const useStates = (country: number): Places<State> =>
  placesOf(useQuery({ queryKey: ['states', country], queryFn: orNone<State>(`states/${country}`), staleTime: day }))

export const useCities = (state: number | undefined): Places<City> =>
  placesOf(
    useQuery({ queryKey: ['cities', state], queryFn: orNone<City>(`cities/${state}`), enabled: state !== undefined, staleTime: day }),
  )

const placesOf = <Place>({ data, isLoading }: { data: Place[] | undefined; isLoading: boolean }): Places<Place> => ({
  places: data ?? [],
  loading: isLoading,
})
