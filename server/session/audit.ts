import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AnyCall, RequestOf } from '#common/kit/call.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Caller } from '#server/kit/caller.ts'
import { isOfUnit, type ServiceTx, type Tx, type UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { userAgentOf } from '#server/kit/http/http.ts'
import { networkOf } from '#server/kit/limits/network.ts'
import type { Payer } from '#server/kit/limits/quota.ts'
import type { HandlerInput } from '#server/kit/serve.ts'

/** The origin of an action: network, browser, request and caller. A handler's input fits as it is. Jobs have none of these. */
export type Where = { ip: string; userAgent: string; requestId: string; caller?: Caller | undefined }

/** Returns the origin of a request before its caller is known. */
export const whereOf = (request: FastifyRequest): Where => ({
  ip: request.ip,
  userAgent: userAgentOf(request),
  requestId: request.id,
})

/** The origin of actions by jobs and by commands on the machine. */
export const noRequest: Where = { ip: '', userAgent: '', requestId: '' }

export type AuditEntry = {
  /** The action as `feature.verb`, such as `agency.update`. A call that was not admitted has its method and path. */
  action: string
  outcome: 'done' | 'refused'
  /** The id of the affected object. */
  object?: string | undefined
  reason?: string
  /** Changed or requested values: names of fields, numbers, states. No secrets; personal data only where it is the change itself. */
  details?: Record<string, unknown> | undefined
  /** The user and unit of the entry, where they differ from the caller's. */
  userId?: string | undefined
  businessUnitId?: string | undefined
}

/**
 * Writes an audit entry: who, when, from where and what. Every change has one, and every view of personal data.
 * The entry is written in the action's own transaction, as the service or within a unit, and never changed.
 */
export async function audit(
  world: Pick<World, 'ids' | 'realTime'>,
  tx: Tx | UnitTx,
  where: Where,
  entry: AuditEntry,
  id: string = world.ids.next(),
): Promise<void> {
  const { caller } = where
  const entered = auditRow(world, where, entry, id)
  const row = { ...entered, details: entered.details ? JSON.stringify(entered.details) : null }
  const unitId = entry.businessUnitId ?? caller?.unit?.scope.businessUnitId ?? null
  const entries = isOfUnit(tx) ? tx.insertInto('audit').values(row) : tx.insertInto('audit').values({ ...row, business_unit_id: unitId })
  await entries.execute()
}

/** Returns the row of an entry, without its unit, for a statement that writes it with others. */
export const auditRow = (
  { ids, realTime }: Pick<World, 'ids' | 'realTime'>,
  { caller, ip, userAgent, requestId }: Where,
  { userId, action, object, outcome, reason, details }: AuditEntry,
  id: string = ids.next(),
) => ({
  id,
  at: realTime.now(),
  user_id: userId ?? caller?.userId ?? null,
  action,
  object: object ?? null,
  outcome,
  reason: reason ?? null,
  details: details ?? null,
  network: networkOf(ip),
  user_agent: userAgent,
  request_id: requestId,
})

type Listed = Pick<AuditEntry, 'object' | 'userId'> & {
  action: 'policies.listed' | 'tickets.listed' | 'accounting.listed' | 'administration.accounts_listed'
  always?: boolean
}

/**
 * Audits the view of a list page, because lists of policies and tickets show personal data. Empty pages need no entry, unless
 * someone was looked for by a number or address (`always`).
 * Sums show no rows. The entry states the kind of page. The search text stays out, as it is often a name.
 */
export async function auditListed(
  world: World,
  tx: Tx | UnitTx,
  where: Where,
  { always = false, ...entry }: Listed,
  details: { shown?: number } & Record<string, unknown>,
): Promise<void> {
  if (details.shown === 0 && !always) return
  // The list does not wait for the disk. If the database crashes, the entries of the last half second are lost.
  await sql`set local synchronous_commit = off`.execute(tx)
  await audit(world, tx, where, { ...entry, outcome: 'done', details })
}

type RefusedCall = Pick<AuditEntry, 'action' | 'userId' | 'businessUnitId' | 'object'> & { reason: string }

/** The most networks that are counted apart in an hour, per action and reason. Each account has a limit of its own. */
const mostNetworks = { anonymous: 100, account: 20 }

/** Returns the network as the limit counts it. A /48 of IPv6 is one network, since its 65 536 smaller ones cost an attacker nothing. */
function networkGroup(ip: string): string {
  const network = networkOf(ip)
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
}

/**
 * Audits a refusal before anything was done, of callers who are signed in or not. The first of an hour from a network is written, with its
 * object and unit; the rest are counted beside it. A flood thus fills neither the audit nor the disk. An attacked account keeps its own
 * entries, however many networks attack it.
 */
export async function countRefusal(
  world: Pick<World, 'ids' | 'realTime'>,
  tx: ServiceTx,
  where: Where,
  { action, reason, userId, businessUnitId, object }: RefusedCall,
) {
  const now = world.realTime.now()
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
  const network = networkGroup(where.ip)
  const user = userId ?? where.caller?.userId ?? null
  // Beyond the limit, refusals from further networks are counted as one.
  const { rows } = await sql<{ id: string; times: number; network: string }>`
    insert into audit_repeats as kept (audit_id, hour, action, reason, network, user_id, times, last_at)
    select ${world.ids.next()}::uuid, ${hour}::timestamptz, ${action}::text, ${reason}::text, case when crowded then 'others' else ${network}::text end,
      ${user}::uuid, 1, ${now}::timestamptz
    from (
      select count(*) >= ${user ? mostNetworks.account : mostNetworks.anonymous} and not coalesce(bool_or(network = ${network}), false) as crowded
      from audit_repeats
      where hour = ${hour} and action = ${action} and reason = ${reason} and user_id is not distinct from ${user}::uuid) as seen
    on conflict (hour, action, reason, network, user_id) do update
      set times = kept.times + 1, last_at = greatest(kept.last_at, excluded.last_at)
    returning audit_id as id, times, network`.execute(tx)
  const [kept] = rows
  if (kept?.times !== 1) return
  const origin = kept.network === network ? where : { ...where, ip: '', userAgent: '' }
  const entry = {
    action,
    outcome: 'refused' as const,
    reason,
    userId,
    businessUnitId,
    object,
    details: kept.network === network ? undefined : { networks: 'others' },
  }
  await audit(world, tx, origin, entry, kept.id)
}

/** `payer`: whose quota pays for the entry; else the caller's. */
type Attempt = Omit<RefusedCall, 'reason'> & { payer?: Payer | undefined }

/**
 * Audits refusals for these reasons in a separate transaction, as the action's own was rolled back. Missing permissions are counted. Each attempt on a
 * hidden object has an entry, because the ids that were tried are evidence; the quota of searches bounds these entries, and further attempts are counted.
 */
export async function auditRefusals<T>(
  world: World,
  where: Where,
  { payer, ...attempt }: Attempt,
  reasons: ReadonlySet<RefusalCode>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && reasons.has(error.code)) {
      const refused = { ...attempt, reason: error.code }
      const hasEntry = error.status !== 403 && (await canPay(world, payer ?? where.caller))
      await world.database.asService(tx =>
        hasEntry ? audit(world, tx, where, { ...refused, outcome: 'refused' }) : countRefusal(world, tx, where, refused),
      )
    }
    throw error
  }
}

async function canPay({ spend }: World, { userId, unit }: Partial<Payer> = {}): Promise<boolean> {
  if (userId === undefined || !unit) return false
  try {
    await spend({ userId, unit }, 'looks')
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'request.too_many') return false
    throw error
  }
}

const absent = new Set<RefusalCode>(['request.not_found'])

/** Audits calls that find nothing under the id in a field. Another unit's object returns 404 too, so only the audit shows the attempt. */
export const auditNotFound =
  <C extends AnyCall, Reply>(
    world: World,
    field: keyof RequestOf<C>,
    handler: (input: HandlerInput<C>) => Promise<Reply>,
  ): ((input: HandlerInput<C>) => Promise<Reply>) =>
  input => {
    const { method, path } = input.call
    const id = input.ask[field]
    const attempt = { action: `${method} ${path}`, object: typeof id === 'string' ? id : undefined }
    // Safe: every handler's input has the fields of Where, which the compiler does not see for an unknown call.
    return auditRefusals(world, input as Where, attempt, absent, () => handler(input))
  }
