import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AnyCall } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { failureEnvelope } from './failures.ts'
import type { AppContext } from '#server/kit/app-context.ts'

const keptHours = 24
/** A node that died in the middle of a call leaves its claim behind; after this long another may carry the call out. */
const claimSeconds = 20
/** As long as it works on a call, a node says so; one that once waits for the database in vain (10 s) is still not taken for dead. */
const renewMs = 3_000

/** A call under an idempotency key, and the body that came with it. */
type Repeatable = { call: AnyCall; caller: CallerInUnit; key: string; question: unknown }
type Kept = { status: number; text: string }

/**
 * The same key with the same question gives the first reply again, byte for byte; with another question it is refused; while the first is
 * still running, the caller is asked to wait. What the caller could mend by trying again (an outage, a limit) is not kept.
 */
export async function once(context: AppContext, request: FastifyRequest, asked: Repeatable, answer: () => Promise<string>): Promise<Kept> {
  const noted = (note: string) => (err: unknown) => context.world.log.warn({ requestId: request.id, err }, note)
  const claim = claimOf(context, asked, request.params)
  const kept = await claim.take()
  if (kept) return kept
  const stopRenewing = renewed(claim, noted('a claim could not be renewed'))
  const reply = await replyOf(context, request, answer).catch(async (error: unknown) => {
    await stopRenewing()
    await claim.release().catch(noted('a claim could not be released'))
    throw error
  })
  await stopRenewing()
  // What was done is done, also when its reply could not be kept. The claim then stays, so that nobody does it again at once.
  await claim.keep(reply).catch(noted('a reply could not be kept'))
  return reply
}

/** However long the work takes, nobody takes it for dead. What it gives ends that, when the last renewal is written. */
function renewed(claim: { renew: () => Promise<void> }, failed: (error: unknown) => void): () => Promise<void> {
  let last = Promise.resolve()
  const timer = setInterval(() => {
    last = last.then(claim.renew).catch(failed)
  }, renewMs)
  return () => {
    clearInterval(timer)
    return last
  }
}

async function replyOf(context: AppContext, request: FastifyRequest, answer: () => Promise<string>): Promise<Kept> {
  try {
    return { status: 200, text: await answer() }
  } catch (error) {
    if (!(error instanceof Refusal) || !isFinal(error)) throw error
    return { status: error.status, text: JSON.stringify(failureEnvelope(context.world, request, error)) }
  }
}

/** What asks the caller to come back later is no last word. */
const isFinal = ({ status, details }: Refusal): boolean => status < 500 && status !== 429 && details.retryAfter === undefined

function claimOf(context: AppContext, { call, caller, key, question }: Repeatable, params: unknown) {
  const { database, clock } = context.world
  const { scope } = caller.unit
  let at = clock.now()
  const hash = hashOf([call.method, call.path, params, question ?? null])
  const own = { user_id: caller.userId, key }
  return {
    take: () =>
      database.inScope(scope, async tx => {
        if (await claimed(tx, { ...own, call: call.path, question_hash: hash, claimed_at: at })) return undefined
        return repliedBefore(tx, own, hash)
      }),
    renew: () =>
      database.inScope(scope, async tx => {
        const now = clock.now()
        await tx
          .updateTable('idempotency')
          .set({ claimed_at: now })
          .where(eb => eb.and({ ...own, claimed_at: at }))
          .where('reply', 'is', null)
          .execute()
        at = now
      }),
    // Whoever's claim was taken over since must not speak for his successor: hence the moment of the claim.
    keep: (reply: Kept) =>
      database.inScope(scope, tx =>
        tx
          .updateTable('idempotency')
          .set({ status: reply.status, reply: reply.text })
          .where(eb => eb.and({ ...own, claimed_at: at }))
          .execute(),
      ),
    release: () =>
      database.inScope(scope, tx =>
        tx
          .deleteFrom('idempotency')
          .where(eb => eb.and({ ...own, claimed_at: at }))
          .execute(),
      ),
  }
}

type OwnKey = { user_id: string; key: string }
type Claim = OwnKey & { call: string; question_hash: Buffer; claimed_at: Date }

/** Of several at once, one gets the claim: a fresh key, one that is a day old, or the same question's whose node has died. */
async function claimed(tx: UnitTx, claim: Claim): Promise<boolean> {
  const before = (seconds: number) => new Date(claim.claimed_at.getTime() - seconds * 1000)
  const { call, question_hash, claimed_at } = claim
  const row = await tx
    .insertInto('idempotency')
    .values(claim)
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'user_id', 'key'])
        .doUpdateSet({ call, question_hash, claimed_at, status: null, reply: null })
        .where(eb =>
          eb.or([
            eb('idempotency.claimed_at', '<', before(keptHours * 3600)),
            eb.and([
              eb('idempotency.reply', 'is', null),
              eb('idempotency.question_hash', '=', question_hash),
              eb('idempotency.claimed_at', '<', before(claimSeconds)),
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

async function repliedBefore(tx: UnitTx, own: OwnKey, hash: Buffer): Promise<Kept> {
  const first = await tx
    .selectFrom('idempotency')
    .selectAll()
    .where(eb => eb.and(own))
    .executeTakeFirst()
  if (first && !first.question_hash.equals(hash)) throw new Refusal('idempotency.mismatch')
  // Gone: the first has failed and given its claim back just now.
  if (!first || first.reply === null || first.status === null) throw new Refusal('idempotency.running', { retryAfter: 1 })
  return { status: first.status, text: first.reply }
}

const hashOf = (question: unknown): Buffer => createHash('sha256').update(JSON.stringify(question, inOrder)).digest()

/** JSON's objects have no order: whoever writes the same fields in another one asks the same. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
