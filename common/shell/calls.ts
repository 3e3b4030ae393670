import type { Call } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import type * as schemas from './schemas.ts'

/** Returns the call for the first data of a page: the user, the agency's settings and its products. */
export const payloadOf = (path: string): Call<ReturnType<typeof schemas.payloadOf>> => ({
  method: 'GET',
  path: `${path}/_payload.json`,
  needs: 'unit',
  firstUnit: true,
})

/** Returns the call as the page's head sends it: without headers, with the language in the URL. */
export const firstPayload = (path: string, locale: Locale) => ({ call: { ...payloadOf(path), bare: true as const }, question: { locale } })

export const addressOfFirst = (path: string, locale: Locale): string => `${path}/_payload.json?locale=${locale}`
