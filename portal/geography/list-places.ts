import { watchSlow } from '#portal/kit/connection.ts'
import { logOnly } from '#portal/kit/log.ts'
import { localeNow } from '#portal/kit/words.tsx'

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
