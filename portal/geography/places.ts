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

export const useStates = (country: number): State[] =>
  useQuery({ queryKey: ['states', country], queryFn: orNone<State>(`states/${country}`), staleTime: day }).data ?? []

export const useCities = (state: number | undefined): City[] =>
  useQuery({ queryKey: ['cities', state], queryFn: orNone<City>(`cities/${state}`), enabled: state !== undefined, staleTime: day }).data ??
  []
