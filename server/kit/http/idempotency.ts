import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AnyCall } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { failureEnvelope } from './failures.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { inStatement } from '#server/kit/store/value-types.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { replyColumns, replyIn } from '#server/kit/sealed/replies.ts'

/** The keys by which a repeated request finds its row, on any node: made with the present secret key, and with former ones. */
export type RequestKeys = [present: string, ...former: string[]]

/**
 * Returns the keys of a request: an idempotency key is valid for the same request of the same user alone. They are hashed with a secret key. Otherwise
 * the request's document numbers could be guessed, as the rest of it may be known.
 */
export function requestKeys(secrets: Secrets, { userId }: CallerInUnit, key: string, ask: object): RequestKeys {
  const request = JSON.stringify([userId, key, ask])
  const [present, ...former] = secrets.hashes('requests', request)
  return [present.toString('hex'), ...[...former, withoutKey(request)].map(hash => hash.toString('hex'))]
}

/**
 * Returns the hash of a request as versions before the encryption of numbers made it. It is only compared, never stored, to find a sale whose reply was
 * lost during the update.
 */
const withoutKey = (request: string): Buffer => createHash('sha256').update(request).digest()

const storedHours = 24
/** A lock is free after this time, because a node that dies during a call leaves its lock behind. */
const lockSeconds = 20
/** The interval at which a node renews its lock. One failed wait for the database (10 s) does not lose it. */
const renewMs = 3_000

/** A call under an idempotency key, with its body. */
export type Repeatable = { call: AnyCall; caller: CallerInUnit; key: string; sent: unknown }
type StoredReply = { status: number; text: string }

/** A reply in the form in which `keep_reply` stores it, in the statement that does the call's work. */
export type KeptReply = ReturnType<typeof keptReply>

export function keptReply({ secrets, realTime }: World, { call, caller, key, sent }: Repeatable, params: unknown, text: string) {
  const own = { user_id: caller.userId, key }
  const [question_hash] = hashesOf(secrets, questionOf(call, params, sent))
  const { sealed, sealed_by } = replyColumns(secrets, { ...own, business_unit_id: caller.unit.scope.businessUnitId }, text)
  return {
    ...own,
    call: call.path,
    claimed_at: realTime.now(),
    question_hash: inStatement(question_hash),
    status: 200,
    sealed: inStatement(sealed),
    sealed_by,
  }
}

const questionOf = ({ method, path }: AnyCall, params: unknown, sent: unknown) => [method, path, params, sent ?? null]

/**
 * Carries out a call once for each key. The same key and request get the first reply again, byte for byte; another request with the same key is
 * refused. While the first is running, the caller has to wait. Replies that a retry could improve (an outage, a limit) are not stored.
 */
export async function once(
  context: AppContext,
  request: FastifyRequest,
  repeatable: Repeatable,
  answer: () => Promise<string>,
): Promise<StoredReply> {
  const logged = (text: string) => (err: unknown) => context.world.log.warn({ requestId: request.id, err }, text)
  const lock = lockOf(context, repeatable, request.params)
  const stored = await lock.acquire()
  if (stored) return stored
  const stopRenewing = renewUntilStopped(lock, logged('an idempotency lock could not be renewed'))
  const reply = await replyOf(context, request, answer).catch(async (error: unknown) => {
    await stopRenewing()
    await lock.release().catch(logged('an idempotency lock could not be released'))
    throw error
  })
  await stopRenewing()
  // The call has been carried out even if its reply cannot be stored. Then the lock stays, so that no retry repeats it at once.
  await lock.store(reply).catch(logged('a reply could not be stored'))
  return reply
}

/** Renews the lock for as long as the work takes. The returned function ends that, after the last renewal is written. */
function renewUntilStopped(lock: { renew: () => Promise<void> }, failed: (error: unknown) => void): () => Promise<void> {
  let last = Promise.resolve()
  const timer = setInterval(() => {
    last = last.then(lock.renew).catch(failed)
  }, renewMs)
  return () => {
    clearInterval(timer)
    return last
  }
}

async function replyOf(context: AppContext, request: FastifyRequest, answer: () => Promise<string>): Promise<StoredReply> {
  try {
    return { status: 200, text: await answer() }
  } catch (error) {
    if (!(error instanceof Refusal) || !isFinal(error)) throw error
    return { status: error.status, text: JSON.stringify(failureEnvelope(context.world, request, error)) }
  }
}

/** True for a refusal that a retry cannot change. */
const isFinal = ({ status, details }: Refusal): boolean => status < 500 && status !== 429 && details.retryAfter === undefined

function lockOf(context: AppContext, { call, caller, key, sent }: Repeatable, params: unknown) {
  const { database, realTime, secrets } = context.world
  const { scope } = caller.unit
  let at = realTime.now()
  const hashes = hashesOf(secrets, questionOf(call, params, sent))
  const own = { user_id: caller.userId, key }
  return {
    acquire: () =>
      database.inScope(scope, async tx => {
        if (await acquired(tx, { ...own, call: call.path, claimed_at: at }, hashes)) return undefined
        return firstReply(secrets, tx, own, hashes)
      }),
    renew: () =>
      database.inScope(scope, async tx => {
        const now = realTime.now()
        await tx
          .updateTable('idempotency')
          .set({ claimed_at: now })
          .where(eb => eb.and({ ...own, claimed_at: at }))
          .where('status', 'is', null)
          .execute()
        at = now
      }),
    // Only the current lock holder may write: hence the condition on the moment of the lock.
    store: (reply: StoredReply) =>
      database.inScope(scope, tx =>
        tx
          .updateTable('idempotency')
          .set({ status: reply.status, ...replyColumns(secrets, { ...own, business_unit_id: tx.businessUnitId }, reply.text) })
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
type Lock = OwnKey & { call: string; claimed_at: Date }
/** The hashes of one request, by each key. */
type Hashes = [present: Buffer, ...former: Buffer[]]

/** Locks a key that is new, over a day old, or left by a node that died during the same request. Only one concurrent call gets it. */
async function acquired(tx: UnitTx, lock: Lock, hashes: Hashes): Promise<boolean> {
  const before = (seconds: number) => new Date(lock.claimed_at.getTime() - seconds * 1000)
  const { call, claimed_at } = lock
  const [question_hash] = hashes
  const row = await tx
    .insertInto('idempotency')
    .values({ ...lock, question_hash })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'user_id', 'key'])
        .doUpdateSet({ call, question_hash, claimed_at, status: null, reply: null, sealed: null, sealed_by: null })
        .where(eb =>
          eb.or([
            eb('idempotency.claimed_at', '<', before(storedHours * 3600)),
            eb.and([
              eb('idempotency.status', 'is', null),
              eb('idempotency.question_hash', 'in', hashes),
              eb('idempotency.claimed_at', '<', before(lockSeconds)),
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

async function firstReply(secrets: Secrets, tx: UnitTx, own: OwnKey, hashes: Hashes): Promise<StoredReply> {
  const first = await tx
    .selectFrom('idempotency')
    .selectAll()
    .where(eb => eb.and(own))
    .executeTakeFirst()
  if (first && !hashes.some(hash => first.question_hash.equals(hash))) throw new Refusal('idempotency.mismatch')
  // A missing row means that the first call has just failed and released its lock.
  const text = first ? replyIn(secrets, first, first) : null
  if (!first || text === null || first.status === null) throw new Refusal('idempotency.running', { retryAfter: 1 })
  return { status: first.status, text }
}

/** Hashes a request with a secret key. Otherwise its document numbers could be guessed, as the rest of it may be known. */
function hashesOf(secrets: Secrets, sent: unknown): Hashes {
  const request = JSON.stringify(sent, inOrder)
  return [...secrets.hashes('repeated requests', request), withoutKey(request)]
}

/** Sorts the fields of objects, because their order in JSON has no meaning. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
