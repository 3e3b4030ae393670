import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AnyCall, Question } from '#common/kit/call.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Caller } from '#server/kit/caller.ts'
import { isOfUnit, type ServiceTx, type Tx, type UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { networkOf, userAgentOf } from '#server/kit/http/http.ts'
import type { Handler } from '#server/kit/serve.ts'

/** From where something was done, and by whom: what every verb is told fits as it is. A job has none of it. */
export type Where = { ip: string; userAgent: string; requestId: string; caller?: Caller | undefined }

/** From where a request comes, before anybody knows whose it is. */
export const whereOf = (request: FastifyRequest): Where => ({
  ip: request.ip,
  userAgent: userAgentOf(request),
  requestId: request.id,
})

/** What the service does by itself, or on somebody's word at the machine. */
export const nobodysBrowser: Where = { ip: '', userAgent: '', requestId: '' }

export type Deed = {
  /** `room.verb`, such as `policy.look` or `agency.update`; of a call that was refused at the door its method and path. */
  action: string
  outcome: 'done' | 'refused'
  /** The id of what it was done to. */
  object?: string | undefined
  reason?: string
  /** What changed, or what was asked for: names of fields, numbers, states. Nothing secret; a person's data only where it is the change. */
  details?: Record<string, unknown> | undefined
  /** Of whom and of which unit the deed is, where the caller does not say so. */
  userId?: string | undefined
  businessUnitId?: string | undefined
}

/**
 * Who, when, from where, what: of every change, and of every look at somebody's data. Written in the transaction of the deed itself, as the
 * service or within a unit, and never changed.
 */
export async function audit(
  world: Pick<World, 'ids' | 'clock'>,
  tx: Tx | UnitTx,
  where: Where,
  deed: Deed,
  id: string = world.ids.next(),
): Promise<void> {
  const { caller } = where
  const entry = {
    id,
    at: world.clock.now(),
    user_id: deed.userId ?? caller?.userId ?? null,
    action: deed.action,
    object: deed.object ?? null,
    outcome: deed.outcome,
    reason: deed.reason ?? null,
    details: deed.details ? JSON.stringify(deed.details) : null,
    network: networkOf(where.ip),
    user_agent: where.userAgent,
    request_id: where.requestId,
  }
  const unitId = deed.businessUnitId ?? caller?.unit?.scope.businessUnitId ?? null
  const entries = isOfUnit(tx)
    ? tx.insertInto('audit').values(entry)
    : tx.insertInto('audit').values({ ...entry, business_unit_id: unitId })
  await entries.execute()
}

/**
 * To see a page of policies or tickets is a look at people's names, or at what happened to them: one line in the audit for each page with
 * somebody on it. It says what kind of page it was; the words that were searched for are somebody's name often enough, and stay out.
 */
export async function noteListed(
  world: World,
  tx: UnitTx,
  where: Where,
  action: 'policies.listed' | 'tickets.listed',
  details: { shown: number } & Record<string, unknown>,
): Promise<void> {
  if (details.shown === 0) return
  // A list waits for no disk: should the database itself fall, the looks of its last half second are lost with it.
  await sql`set local synchronous_commit = off`.execute(tx)
  await audit(world, tx, where, { action, outcome: 'done', details })
}

type Refused = { action: string; reason: string; userId?: string | undefined }

/** Networks that are told apart within an hour, for one action and reason: of what is nobody's, and of each account. */
const mostNetworks = { ofNobody: 100, ofAccount: 20 }

/** A /48 of IPv6 is one network here: 65 536 of the others are somebody's for nothing. */
function crowdOf(ip: string): string {
  const network = networkOf(ip)
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
}

/**
 * A refusal of a caller who is not signed in. The first of an hour from one network is written; the rest are counted beside it, so that a
 * flood fills neither the audit nor the disk. An account that is attacked is told apart always, however many networks it comes from.
 */
export async function countRefusal(world: Pick<World, 'ids' | 'clock'>, tx: ServiceTx, where: Where, { action, reason, userId }: Refused) {
  const now = world.clock.now()
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
  const network = crowdOf(where.ip)
  const user = userId ?? null
  // Beyond so many networks the refusals of the others are counted as one.
  const { rows } = await sql<{ id: string; times: number; network: string }>`
    insert into audit_repeats as kept (audit_id, hour, action, reason, network, user_id, times, last_at)
    select ${world.ids.next()}::uuid, ${hour}::timestamptz, ${action}::text, ${reason}::text, case when crowded then 'others' else ${network}::text end,
      ${user}::uuid, 1, ${now}::timestamptz
    from (
      select count(*) >= ${user ? mostNetworks.ofAccount : mostNetworks.ofNobody} and not coalesce(bool_or(network = ${network}), false) as crowded
      from audit_repeats
      where hour = ${hour} and action = ${action} and reason = ${reason} and user_id is not distinct from ${user}::uuid) as seen
    on conflict (hour, action, reason, network, user_id) do update
      set times = kept.times + 1, last_at = greatest(kept.last_at, excluded.last_at)
    returning audit_id as id, times, network`.execute(tx)
  const [kept] = rows
  if (kept?.times !== 1) return
  const asFirst = kept.network === network ? where : { ...where, ip: '', userAgent: '' }
  const deed = {
    action,
    outcome: 'refused' as const,
    reason,
    userId,
    details: kept.network === network ? undefined : { networks: 'others' },
  }
  await audit(world, tx, asFirst, deed, kept.id)
}

type Attempt = Omit<Deed, 'outcome' | 'reason'>

/** What is refused for one of these reasons is told in a transaction of its own: the deed's was undone with it. */
export async function refusalsNoted<T>(
  world: World,
  where: Where,
  attempt: Attempt,
  reasons: ReadonlySet<RefusalCode>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && reasons.has(error.code))
      await world.database.asService(tx => audit(world, tx, where, { ...attempt, outcome: 'refused', reason: error.code }))
    throw error
  }
}

const absent = new Set<RefusalCode>(['request.not_found'])

/** A call about one thing by its id. Somebody else’s is told from none at all by nothing; whoever tried stands in the audit. */
export const absentNoted =
  <C extends AnyCall>(world: World, call: C, idIn: (ask: Question<C>) => string | null | undefined, handler: Handler<C>): Handler<C> =>
  asked => {
    const attempt = { action: `${call.method} ${call.path}`, object: idIn(asked.ask) ?? undefined }
    return refusalsNoted(world, asked as Where, attempt, absent, () => handler(asked))
  }
