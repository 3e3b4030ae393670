import type { Call } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { type RoutePath, routes } from './routes.ts'
import type * as schemas from './schemas.ts'

/** Returns the call for a page's first data: the user, the agency's settings and products, and the page's first responses. */
export const payloadOf = (path: RoutePath): Call<ReturnType<typeof schemas.payloadOf>> => {
  const { needs } = routes[path]
  return { method: 'GET', path: `${path}/_payload.json`, needs: needs === null || needs === 'session' ? 'unit' : needs, firstUnit: true }
}

/** Returns the call as the head of the page sends it: without headers, with the language and the page's product in the URL. */
export const firstPayload = (path: RoutePath, locale: Locale, query: string) => {
  const product = new URLSearchParams(query).get('product')
  return { call: { ...payloadOf(path), bare: true as const }, request: product ? { locale, product } : { locale } }
}

export const addressOfFirst = (path: RoutePath, locale: Locale, query: string): string => {
  const { call, request } = firstPayload(path, locale, query)
  const pairs = Object.entries(request).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${call.path}?${pairs.join('&')}`
}
