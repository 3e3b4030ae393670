import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Call, Question } from '#common/kit/call.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Caller } from '#server/kit/caller.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
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
export async function audit(world: Pick<World, 'ids' | 'clock'>, tx: Tx, where: Where, deed: Deed): Promise<void> {
  const { caller } = where
  await tx
    .insertInto('audit')
    .values({
      id: world.ids.next(),
      at: world.clock.now(),
      business_unit_id: deed.businessUnitId ?? caller?.unit?.scope.businessUnitId ?? null,
      user_id: deed.userId ?? caller?.userId ?? null,
      action: deed.action,
      object: deed.object ?? null,
      outcome: deed.outcome,
      reason: deed.reason ?? null,
      details: deed.details ? JSON.stringify(deed.details) : null,
      network: networkOf(where.ip),
      user_agent: where.userAgent,
      request_id: where.requestId,
    })
    .execute()
}

/**
 * To see a page of policies or tickets is a look at people's names, or at what happened to them: one line in the audit for each page with
 * somebody on it. It says what kind of page it was; the words that were searched for are somebody's name often enough, and stay out.
 */
export async function noteListed(
  world: World,
  tx: Tx,
  where: Where,
  action: 'policies.listed' | 'tickets.listed',
  details: { shown: number } & Record<string, unknown>,
): Promise<void> {
  if (details.shown === 0) return
  // A list waits for no disk: should the database itself fall, the looks of its last half second are lost with it.
  await sql`set local synchronous_commit = off`.execute(tx)
  await audit(world, tx, where, { action, outcome: 'done', details })
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
  <C extends Call>(world: World, call: C, idIn: (ask: Question<C>) => string | null | undefined, handler: Handler<C>): Handler<C> =>
  asked => {
    const attempt = { action: `${call.method} ${call.path}`, object: idIn(asked.ask) ?? undefined }
    return refusalsNoted(world, asked as Where, attempt, absent, () => handler(asked))
  }
