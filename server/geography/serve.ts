import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { countriesIn, isCountry } from '#common/geography/countries.ts'
import { listedForms } from '#common/geography/postal-codes.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { chooseCoding, pack } from '#server/kit/http/coding.ts'
import { localeOf } from '#server/kit/http/failures.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { citiesOfState, geographyVersion, statesOf, statesWithCities } from './queries.ts'

type CachedReply = { body: Buffer; gzip: Buffer; br: Buffer; etag: string }

/** The most replies in the cache, which are compressed once. */
const mostReplies = 500
/** The most countries whose postal codes are in memory: all of them. */
const mostCountries = 300
/** An import on any node raises the version, which empties the caches. */
const versionMs = 5_000

/** Serves the geography without sign-in, in its own envelope, cacheable for a day. */
export function serveGeography(context: AppContext): void {
  const { http, world } = context
  const [replies, countries] = [openCache<CachedReply>(world, mostReplies), openCache<Codes>(world, mostCountries)]
  const answer = async (request: FastifyRequest, reply: FastifyReply, key: string, create: () => Promise<unknown[] | undefined>) =>
    respond(request, reply, await replies(key, async () => packed(await create())))
  const respond = async (request: FastifyRequest, reply: FastifyReply, known: CachedReply | undefined) => {
    reply.header('access-control-allow-origin', '*')
    if (!known)
      return reply
        .status(404)
        .header('cache-control', 'no-store')
        .send({ success: false, content: [], errorMessage: world.words(localeOf(world, request))('refusal.request.not_found') })
    reply.header('cache-control', 'public, max-age=86400').header('etag', known.etag).header('vary', 'accept-encoding, accept-language')
    if (matches(request.headers['if-none-match'], known.etag)) return reply.status(304).send()
    const coding = chooseCoding(request.headers['accept-encoding'])
    if (coding !== 'body') reply.header('content-encoding', coding)
    return reply.type('application/json; charset=utf-8').send(known[coding])
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
  // Anyone may send any code. Its reply is not cached, or invented codes would replace the others' replies.
  http.get<{ Params: { country: string; code: string } }>('/geo/countries/postal-codes/:country/:code', async (request, reply) => {
    const id = readId(request.params.country)
    const codes = await countries(String(id), () => codesOf(world, id))
    const forms = listedForms(request.params.code.slice(0, longestCode), id)
    return respond(request, reply, await packed(codes && sortByName(citiesOf(codes, forms), localeOf(world, request))))
  })
}

/** Reads a numeric id, such as 380 for Italy. Returns 0, which is no id, for any other text. */
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

const longestCode = 12

type City = { id: number; name: string; stateId: number; state: string }
/** A country's cities by their postal codes, which are written without blanks and dashes. */
type Codes = ReadonlyMap<string, City[]>

async function codesOf(world: World, country: number): Promise<Codes | undefined> {
  if (!isCountry(country)) return undefined
  const states = await statesWithCities(world.database, country)
  const pairs = states.flatMap(({ id: stateId, name: state, cities }) =>
    cities.flatMap(([id, name, zipCodes]) =>
      zipCodes.map(code => ({ code: code.replaceAll(/[ -]/g, ''), city: { id, name, stateId, state } })),
    ),
  )
  const byCode = Map.groupBy(pairs, ({ code }) => code)
  return new Map([...byCode].map(([code, found]) => [code, found.map(({ city }) => city)]))
}

/** Returns the cities of the first form of a code that has any: a whole code counts more than its first part. */
const citiesOf = (codes: Codes, forms: string[]): City[] => forms.map(form => codes.get(form) ?? []).find(found => found.length > 0) ?? []

/** Sorts by name in the order of the caller's language: ñ is a letter of its own in Spanish only. */
function sortByName<T extends { name: string }>(rows: T[], locale: Locale): T[] {
  const collator = new Intl.Collator(intlTag(locale))
  return rows.toSorted((a, b) => collator.compare(a.name, b.name))
}

/** True if If-None-Match names the tag. It may be a list, and a proxy that compresses marks tags as weak (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some(each => each.trim().replace(/^W\//, '') === etag)
}

/** Opens a cache of values made from the current places. The oldest leave first; undefined or failed ones are made again. */
function openCache<Value>(world: World, most: number) {
  const kept = new Map<string, Promise<Value | undefined>>()
  let version = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  return async (key: string, make: () => Promise<Value | undefined>): Promise<Value | undefined> => {
    if (world.elapsed() - checkedAt > versionMs) {
      const current = await geographyVersion(world.database)
      checkedAt = world.elapsed()
      if (current !== version) kept.clear()
      version = current
    }
    const known = kept.get(key)
    if (known) return known
    if (kept.size >= most) kept.delete(kept.keys().next().value ?? '')
    const made = make()
    kept.set(key, made)
    const forget = () => kept.delete(key)
    made.then(value => value === undefined && forget(), forget)
    return made
  }
}

const packed = async (content: unknown[] | undefined): Promise<CachedReply | undefined> =>
  content && compressed(JSON.stringify({ success: true, content }))

async function compressed(text: string): Promise<CachedReply> {
  const body = Buffer.from(text)
  const [gzipped, br] = await Promise.all([pack(body, 'gzip'), pack(body, 'br')])
  return { body, gzip: gzipped, br, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
