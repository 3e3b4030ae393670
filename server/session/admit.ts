import type { FastifyRequest } from 'fastify'
import type { Needs } from '#common/kit/call.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Caller } from '#server/kit/caller.ts'
import type { Admit, Identify, World } from '#server/kit/app-context.ts'
import { ownOrigin } from '#server/kit/http/http.ts'
import { audit, countRefusal, whereOf } from './audit.ts'
import { signInKind } from './external/kind.ts'
import { readSessionCookie, sessionCookie } from './cookies.ts'
import { findSession, type LiveSession, type Membership, openSessionLook } from './queries.ts'
import { allUnits, scopeOf } from './scope.ts'
import { hashToken, sameToken, unitToken } from './tokens.ts'

const hour = 3_600_000
/** A session's last use is written at most this often: reading must not write at every call. */
const seenEvery = 60_000

/** Who asks, by bearer or session cookie; for which of his units; and whether he may. */
export function openAdmission(world: World): { identify: Identify; admit: Admit } {
  const look = openSessionLook(world.database)
  const known = new WeakMap<FastifyRequest, { asker: Asker | undefined; complete: boolean }>()
  const identify = async (request: FastifyRequest, needs: Needs): Promise<Asker | undefined> => {
    const asker = await askerOf(world, look, request, needs)
    known.set(request, { asker, complete: request.raw.complete })
    return asker
  }
  const admit: Admit = async (request, needs) => {
    const before = known.get(request)
    // A session may end while a body is still on its way: an answer from before its last byte is not good after it.
    const asker = before && before.complete === request.raw.complete ? before.asker : await identify(request, needs)
    if (!asker || needs === 'nothing') return undefined
    const { credential, session } = asker
    const caller: Caller = {
      userId: session.userId,
      name: session.name,
      email: session.email,
      sessionId: session.sessionId,
      accessToken: credential.accessToken,
    }
    if (needs === 'session') return caller
    if (needs === 'administration') {
      if (!session.administrator) return refuse(world, request, { caller, needs, code: 'session.forbidden' })
      // Whoever may change all units is held to the strictest of his own.
      if (session.memberships.some(unit => lacksCode(world.config, session, unit)))
        return refuse(world, request, { caller, needs, code: 'session.two_factor_needed' })
      return { ...caller, allUnits }
    }
    const membership = chooseUnit(request, credential, session)
    if (!membership) return refuse(world, request, { caller, needs, code: 'session.unit_token' })
    request.unitId = membership.businessUnitId
    if (lacksCode(world.config, session, membership))
      return refuse(world, request, { caller, unit: membership, needs, code: 'session.two_factor_needed' })
    if (needs !== 'unit' && !may(membership.permissions, needs))
      return refuse(world, request, { caller, unit: membership, needs, code: 'session.forbidden' })
    const { locale, roles, permissions } = membership
    return { ...caller, unit: { scope: scopeOf(membership.businessUnitId), locale, roles, permissions } }
  }
  return { identify, admit }
}

type Look = ReturnType<typeof openSessionLook>
type Asker = { credential: Credential; session: LiveSession }

/** What the headers tell of who asks: nobody where nobody need be known. */
async function askerOf(world: World, look: Look, request: FastifyRequest, needs: Needs): Promise<Asker | undefined> {
  const credential = credentialOf(world.config, request)
  if (credential?.from !== 'bearer' && isForeign(world.config, request)) return refuseForeign(world, request, credential, needs)
  if (needs === 'nothing') return undefined
  if (!credential) throw new Refusal('session.missing')
  const session = await liveSession(world, look, credential.accessToken)
  request.userId = session.userId
  return { credential, session }
}

/** The unit asks for a code beside the password, and this user has none: until he has, he is not let in there. */
export const lacksCode = (config: Config, session: LiveSession, unit: Membership): boolean =>
  unit.twoFactorRequired && !session.twoFactor && signInKind(config) === 'password'

type Credential = { from: 'bearer' | 'cookie'; accessToken: string }

/** One exact form of each; a bearer that is not well-formed is not passed over in favour of the cookie. */
function credentialOf(config: Config, request: FastifyRequest): Credential | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const accessToken = /^Bearer ([\w-]{20,200})$/.exec(authorization)?.[1]
    if (!accessToken || isSentTwice(request, 'authorization')) throw new Refusal('session.missing')
    return { from: 'bearer', accessToken }
  }
  const accessToken = readSessionCookie(request.cookies[sessionCookie(config)])
  return accessToken ? { from: 'cookie', accessToken } : undefined
}

/** Node keeps the first of two and says nothing; a proxy before it may have looked at the second. */
const isSentTwice = (request: FastifyRequest, name: string): boolean =>
  request.raw.rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === name).length > 1

/** Without a bearer, a browser may be acting for somebody else's page: what comes from a foreign origin is refused. */
function isForeign(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && URL.parse(origin)?.origin !== ownOrigin(config, request)) || site === 'cross-site' || site === 'same-site'
  const changes = request.method !== 'GET'
  return foreign && (changes || origin !== undefined)
}

/** The audit tells whose browser was made to ask, where it is somebody's. */
async function refuseForeign(world: World, request: FastifyRequest, credential: Credential | undefined, needs: Needs): Promise<never> {
  const session = credential && (await findSession(world.database, hashToken(credential.accessToken)))
  return refuse(world, request, { caller: session, needs, code: 'session.foreign_origin' })
}

async function liveSession(world: World, look: Look, accessToken: string): Promise<LiveSession> {
  const session = await look(hashToken(accessToken))
  const now = world.clock.now()
  if (!session || isOver(world.config, session, now)) throw new Refusal('session.missing')
  if (now.getTime() - session.lastSeenAt.getTime() > seenEvery)
    await world.database.kysely.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', session.sessionId).execute()
  return session
}

export function isOver(config: Config, session: Pick<LiveSession, 'idleHours' | 'days' | 'createdAt' | 'lastSeenAt'>, now: Date): boolean {
  const idle = (session.idleHours ?? config.SESSION_IDLE_HOURS) * hour
  const whole = (session.days ?? config.SESSION_DAYS) * 24 * hour
  return now.getTime() - session.lastSeenAt.getTime() > idle || now.getTime() - session.createdAt.getTime() > whole
}

/** The unit whose token was sent. A page or file that the browser fetches by itself sends none, and is shown the user's first. */
function chooseUnit(request: FastifyRequest, credential: Credential, session: LiveSession): Membership | undefined {
  const sent = request.headers['x-bunit-token']
  if (sent === undefined && credential.from === 'cookie' && request.method === 'GET') return session.memberships[0]
  if (typeof sent !== 'string') return undefined
  return session.memberships.find(({ businessUnitId }) => sameToken(sent, unitToken(credential.accessToken, businessUnitId)))
}

type Refused = { caller: { userId: string } | undefined; unit?: Membership; needs: Needs; code: RefusalCode }

async function refuse(world: World, request: FastifyRequest, { caller, unit, needs, code }: Refused): Promise<never> {
  const action = `${request.method} ${request.routeOptions.url ?? ''}`
  const reason = `${code} ${needs}`
  await world.database.asService(tx =>
    caller
      ? audit(world, tx, whereOf(request), {
          action,
          outcome: 'refused',
          userId: caller.userId,
          businessUnitId: unit?.businessUnitId,
          object: objectOf(request),
          reason,
        })
      : countRefusal(world, tx, whereOf(request), { action, reason }),
  )
  throw new Refusal(code)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What was asked for: the first id that the request names. Nothing else of a refused request is kept. */
function objectOf({ params, body, query }: FastifyRequest): string | undefined {
  const named = [params, body, query].flatMap(part => (part && typeof part === 'object' ? Object.values(part) : []))
  return named.find((value): value is string => typeof value === 'string' && uuid.test(value))
}
