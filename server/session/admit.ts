import type { FastifyRequest } from 'fastify'
import type { Needs } from '#common/kit/call.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Caller } from '#server/kit/caller.ts'
import type { Admit, Identify, World } from '#server/kit/app-context.ts'
import { rememberLocale } from '#server/kit/http/failures.ts'
import { ownOrigin } from '#server/kit/http/http.ts'
import { countRefusal, whereOf } from './audit.ts'
import { signInKind } from './external/kind.ts'
import { readSessionCookie, sessionCookie } from './cookies.ts'
import { openSessionMemory, type SessionMemory } from './sign-in/memory.ts'
import { findSession, type LiveSession, markSeen, type Membership } from './queries.ts'
import { allUnits, scopeOf } from './scope.ts'
import { hashToken, sameToken, unitToken } from './tokens.ts'

const hour = 3_600_000
/** Limits how often a session's last use is written, so that reads do not write on every call. */
const lastSeenEveryMs = 60_000

/** Opens the two checks of a request: who sends it, and whether they may. Callers send a bearer or the session cookie. */
export function openAdmission(world: World): { identify: Identify; admit: Admit } {
  const memory = openSessionMemory(world)
  world.database.notices.start((text, err) => world.log.warn({ err }, text))
  const known = new WeakMap<FastifyRequest, { identity: Identity | undefined; complete: boolean }>()
  const identify = async (request: FastifyRequest, needs: Needs): Promise<Identity | undefined> => {
    const identity = await identityOf(world, memory, request, needs)
    known.set(request, { identity, complete: request.raw.complete })
    return identity
  }
  const admit: Admit = async (request, needs) => {
    const before = known.get(request)
    // A session may end while a body is still arriving, so an identity from before the last byte is checked again.
    const identity = before && before.complete === request.raw.complete ? before.identity : await identify(request, needs)
    if (!identity || needs === 'nothing') return undefined
    const { credential, session, membership } = identity
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
      // Administrators change all units, so the strictest of their own units decides.
      if (session.memberships.some(unit => lacksSecondFactor(world.config, session, unit)))
        return refuse(world, request, { caller, needs, code: 'session.two_factor_needed' })
      return { ...caller, allUnits }
    }
    if (!membership) return refuse(world, request, { caller, needs, code: 'session.unit_token' })
    request.unitId = membership.businessUnitId
    if (lacksSecondFactor(world.config, session, membership))
      return refuse(world, request, { caller, unit: membership, needs, code: 'session.two_factor_needed' })
    if (needs !== 'unit' && !may(membership.permissions, needs))
      return refuse(world, request, { caller, unit: membership, needs, code: 'session.forbidden' })
    const { locale, roles, permissions } = membership
    return { ...caller, unit: { scope: scopeOf(membership.businessUnitId), locale, roles, permissions } }
  }
  return { identify, admit }
}

type Identity = { credential: Credential; session: LiveSession; membership: Membership | undefined }

/** Returns the user, session and unit of the credentials, or undefined if the call needs none. From now on refusals are in the unit's language. */
async function identityOf(world: World, memory: SessionMemory, request: FastifyRequest, needs: Needs): Promise<Identity | undefined> {
  const credential = credentialOf(world.config, request)
  if (credential?.from !== 'bearer' && isForeign(world.config, request)) return refuseForeign(world, request, credential, needs)
  if (needs === 'nothing') return undefined
  if (!credential) throw new Refusal('session.missing')
  const session = await liveSession(world, memory, credential.accessToken)
  request.userId = session.userId
  const membership = chooseUnit(request, credential, session)
  if (membership) rememberLocale(request, membership.locale)
  return { credential, session, membership }
}

/** Returns whether the unit requires a second factor that the user has not set up. Such users cannot enter the unit. */
export const lacksSecondFactor = (config: Config, session: LiveSession, unit: Membership): boolean =>
  unit.twoFactorRequired && !session.twoFactor && signInKind(config) === 'password'

type Credential = { from: 'bearer' | 'cookie'; accessToken: string }

/** Reads the bearer token or the session cookie. A malformed bearer is refused, even if there is a good cookie. */
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

/** Returns whether a header came twice. Node silently keeps the first, while a proxy may have checked the second. */
function isSentTwice({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index]
    if (each?.length === name.length && each.toLowerCase() === name) times += 1
  }
  return times > 1
}

/** Returns whether a request without a bearer has a foreign origin. Such a page may be abusing the user's browser. */
function isForeign(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && URL.parse(origin)?.origin !== ownOrigin(config, request)) || site === 'cross-site' || site === 'same-site'
  const changes = request.method !== 'GET'
  return foreign && (changes || origin !== undefined)
}

/** Refuses a foreign origin. The audit names the user whose browser was abused, if the cookie is valid. */
async function refuseForeign(world: World, request: FastifyRequest, credential: Credential | undefined, needs: Needs): Promise<never> {
  const session = credential && (await findSession(world.database, hashToken(credential.accessToken)))
  return refuse(world, request, { caller: session, needs, code: 'session.foreign_origin' })
}

async function liveSession(world: World, memory: SessionMemory, accessToken: string): Promise<LiveSession> {
  const tokenHash = hashToken(accessToken)
  const known = memory.known(tokenHash)
  // Read again each minute, because other nodes write its last use, too.
  if (known && Math.abs(unseenMs(world, known)) <= lastSeenEveryMs && !isOver(world.config, known, world.realTime.now())) return known
  const session = await memory.read(tokenHash)
  const now = world.realTime.now()
  if (!session || isOver(world.config, session, now)) throw new Refusal('session.missing')
  if (unseenMs(world, session) > lastSeenEveryMs) {
    await markSeen(world.database, session.sessionId, now)
    session.lastSeenAt = now
  }
  return session
}

const unseenMs = ({ realTime }: World, { lastSeenAt }: LiveSession): number => realTime.now().getTime() - lastSeenAt.getTime()

export function isOver(config: Config, session: Pick<LiveSession, 'idleHours' | 'days' | 'createdAt' | 'lastSeenAt'>, now: Date): boolean {
  const idle = (session.idleHours ?? config.SESSION_IDLE_HOURS) * hour
  const whole = (session.days ?? config.SESSION_DAYS) * 24 * hour
  return now.getTime() - session.lastSeenAt.getTime() > idle || now.getTime() - session.createdAt.getTime() > whole
}

/** Returns the unit whose token was sent. Only a call that the browser sends by itself may lack one: it gets the user's first unit. */
function chooseUnit(request: FastifyRequest, credential: Credential, session: LiveSession): Membership | undefined {
  const sent = request.headers['x-bunit-token']
  if (sent === undefined && credential.from === 'cookie' && request.routeOptions.config.firstUnit) return session.memberships[0]
  if (typeof sent !== 'string') return undefined
  const known = unitTokens.get(session) ?? []
  unitTokens.set(session, known)
  return session.memberships.find(({ businessUnitId }, index) =>
    sameToken(sent, (known[index] ??= unitToken(credential.accessToken, businessUnitId))),
  )
}

/** The tokens of a session's memberships, as far as they were needed. */
const unitTokens = new WeakMap<LiveSession, string[]>()

type RefusedRequest = { caller: { userId: string } | undefined; unit?: Membership; needs: Needs; code: RefusalCode }

async function refuse(world: World, request: FastifyRequest, { caller, unit, needs, code }: RefusedRequest): Promise<never> {
  const action = `${request.method} ${request.routeOptions.url ?? ''}`
  const reason = `${code} ${needs}`
  const refused = { action, reason, userId: caller?.userId, businessUnitId: unit?.businessUnitId, object: objectOf(request) }
  await world.database.asService(tx => countRefusal(world, tx, whereOf(request), refused))
  throw new Refusal(code)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the first id that the request names. The audit keeps nothing else of a refused request. */
function objectOf({ params, body, query }: FastifyRequest): string | undefined {
  const named = [params, body, query].flatMap(part => (part && typeof part === 'object' ? Object.values(part) : []))
  return named.find((value): value is string => typeof value === 'string' && uuid.test(value))
}
