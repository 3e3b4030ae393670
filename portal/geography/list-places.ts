import { logOnly } from '#portal/kit/log.ts'
import { localeNow } from '#portal/kit/words.tsx'

/** Returns a list of the shared geography. A failed request is logged and gives an empty list (spec 8). The user then types the place. */
export const listPlaces = async <Place>(path: string): Promise<Place[]> => (await ask<Place>(path).catch(logOnly(`loading ${path}`))) ?? []

/** Throws unless the response says that it succeeded (spec 7, 8). */
async function ask<Place>(path: string): Promise<Place[]> {
  const response = await fetch(`/geo/countries/${path}?locale=${localeNow()}`)
  // Safe: the shared geography responds in this format (spec 7).
  const reply = (await response.json()) as { success: boolean; content: Place[] }
  if (!reply.success) throw new Error(path)
  return reply.content
}
