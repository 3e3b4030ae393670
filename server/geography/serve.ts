import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { countriesIn, isCountry } from '#common/geography/countries.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { chooseCoding, pack } from '#server/kit/http/coding.ts'
import { localeOf } from '#server/kit/http/failures.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { citiesOfState, geographyVersion, statesOf } from './queries.ts'

type Found = { body: Buffer; gzip: Buffer; br: Buffer; etag: string }

/** Replies held ready, compressed once. An import on any node raises the version, at which all of them are forgotten. */
const mostHeld = 500
const versionMs = 5_000

/** The shared geography: no sign-in, its own envelope, cacheable for a day (api.md, Geography). */
export function serveGeography(context: AppContext): void {
  const { http, world } = context
  const held = holdReplies(world)
  const answer = async (request: FastifyRequest, reply: FastifyReply, key: string, make: () => Promise<unknown[] | undefined>) => {
    const found = await held(key, make)
    reply.header('access-control-allow-origin', '*')
    if (!found)
      return reply
        .status(404)
        .header('cache-control', 'no-store')
        .send({ success: false, content: [], errorMessage: world.words(localeOf(world, request))('refusal.request.not_found') })
    reply.header('cache-control', 'public, max-age=86400').header('etag', found.etag).header('vary', 'accept-encoding, accept-language')
    if (isHeld(request.headers['if-none-match'], found.etag)) return reply.status(304).send()
    const coding = chooseCoding(request.headers['accept-encoding'])
    if (coding !== 'body') reply.header('content-encoding', coding)
    return reply.type('application/json; charset=utf-8').send(found[coding])
  }

  http.get('/geo/countries', (request, reply) => {
    const locale = localeOf(world, request)
    return answer(request, reply, `countries ${locale}`, async () => countriesIn(locale))
  })
  http.get<{ Params: { country: string } }>('/geo/countries/states/:country', (request, reply) => {
    const id = readId(request.params.country)
    const locale = localeOf(world, request)
    return answer(request, reply, `states ${id} ${locale}`, () => states(world, id, locale))
  })
  http.get<{ Params: { state: string } }>('/geo/countries/cities/:state', (request, reply) => {
    const id = readId(request.params.state)
    const locale = localeOf(world, request)
    return answer(request, reply, `cities ${id} ${locale}`, () => cities(world, id, locale))
  })
}

/** Italy is 380 and Spain 724, as text without frills; anything else is the id of nothing. */
const readId = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0)

async function states(world: World, country: number, locale: Locale): Promise<unknown[] | undefined> {
  if (!isCountry(country)) return undefined
  const rows = await statesOf(world.database, country)
  return sortByName(rows, locale).map(({ id, name, code }) => ({ id, name, code }))
}

async function cities(world: World, state: number, locale: Locale): Promise<unknown[] | undefined> {
  const row = await citiesOfState(world.database, state)
  if (!row) return undefined
  return sortByName(
    row.cities.map(([id, name, zipCodes]) => ({ id, name, zipCode: zipCodes[0] ?? '', zipCodes })),
    locale,
  )
}

/** A list stands in the order of the language that reads it: ñ is a letter of its own in Spanish only. */
function sortByName<T extends { name: string }>(rows: T[], locale: Locale): T[] {
  const collator = new Intl.Collator(intlTag(locale))
  return rows.toSorted((a, b) => collator.compare(a.name, b.name))
}

/** What is asked back may be a list, and marked weak by a proxy that compressed it (RFC 9110, 13.1.2). */
function isHeld(asked: string | undefined, etag: string): boolean {
  return (asked ?? '').split(',').some(each => each.trim().replace(/^W\//, '') === etag)
}

function holdReplies(world: World) {
  const held = new Map<string, Found>()
  let version = 0
  let looked = Number.NEGATIVE_INFINITY
  return async (key: string, make: () => Promise<unknown[] | undefined>): Promise<Found | undefined> => {
    if (performance.now() - looked > versionMs) {
      const current = await geographyVersion(world.database)
      looked = performance.now()
      if (current !== version) held.clear()
      version = current
    }
    const known = held.get(key)
    if (known) return known
    const content = await make()
    if (!content) return undefined
    const found = await packed(JSON.stringify({ success: true, content }))
    if (held.size >= mostHeld) held.delete(held.keys().next().value ?? '')
    held.set(key, found)
    return found
  }
}

async function packed(text: string): Promise<Found> {
  const body = Buffer.from(text)
  const [gzipped, br] = await Promise.all([pack(body, 'gzip'), pack(body, 'br')])
  return { body, gzip: gzipped, br, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
