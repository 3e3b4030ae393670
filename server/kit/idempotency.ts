import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Call } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from './caller.ts'
import { failureEnvelope } from './failures.ts'
import type { Front } from './front.ts'

const keptHours = 24
/** A node that died in the middle of a call leaves its claim behind; after this long another may carry the call out. */
const claimSeconds = 60

type Kept = { status: number; text: string }

/**
 * The same key with the same question gives the first reply again, byte for byte; with another question it is refused; while the first is
 * still running, the caller is asked to wait. What the caller could mend by trying again (an outage, a limit) is not kept.
 */
export async function once(
  front: Front,
  request: FastifyRequest,
  call: Call,
  caller: CallerInUnit,
  key: string,
  answer: () => Promise<string>,
): Promise<Kept> {
  const claim = claimOf(front, call, caller, key, request)
  const kept = await claim.take()
  if (kept) return kept
  try {
    const reply = { status: 200, text: await answer() }
    await claim.keep(reply)
    return reply
  } catch (error) {
    if (!(error instanceof Refusal) || !isFinal(error)) {
      await claim.release()
      throw error
    }
    const reply = { status: error.status, text: JSON.stringify(failureEnvelope(front.world, request, error)) }
    await claim.keep(reply)
    return reply
  }
}

const isFinal = (refusal: Refusal): boolean => [409, 422].includes(refusal.status)

function claimOf(front: Front, call: Call, caller: CallerInUnit, key: string, request: FastifyRequest) {
  const { database, clock } = front.world
  const { scope } = caller.unit
  const hash = createHash('sha256')
    .update(JSON.stringify([call.method, call.path, request.params, request.body ?? null]))
    .digest()
  const own = { business_unit_id: scope.businessUnitId, user_id: caller.userId, key }
  return {
    take: () =>
      database.inScope(scope, async (tx): Promise<Kept | undefined> => {
        const now = clock.now()
        const before = (ms: number) => new Date(now.getTime() - ms)
        const claimed = await tx
          .insertInto('idempotency')
          .values({ ...own, call: call.path, question_hash: hash, claimed_at: now })
          .onConflict(conflict =>
            conflict
              .columns(['business_unit_id', 'user_id', 'key'])
              .doUpdateSet({ call: call.path, question_hash: hash, claimed_at: now, status: null, reply: null })
              .where(row =>
                row.or([
                  row('idempotency.claimed_at', '<', before(keptHours * 3_600_000)),
                  row.and([
                    row('idempotency.reply', 'is', null),
                    row('idempotency.question_hash', '=', hash),
                    row('idempotency.claimed_at', '<', before(claimSeconds * 1000)),
                  ]),
                ]),
              ),
          )
          .returning('key')
          .executeTakeFirst()
        if (claimed) return undefined
        const first = await tx
          .selectFrom('idempotency')
          .selectAll()
          .where('user_id', '=', own.user_id)
          .where('key', '=', key)
          .executeTakeFirstOrThrow()
        if (!first.question_hash.equals(hash)) throw new Refusal('idempotency.mismatch')
        if (first.reply === null || first.status === null) throw new Refusal('idempotency.running', { retryAfter: 1 })
        return { status: first.status, text: first.reply }
      }),
    keep: (reply: Kept) =>
      database.inScope(scope, async tx => {
        await tx
          .updateTable('idempotency')
          .set({ status: reply.status, reply: reply.text })
          .where('user_id', '=', own.user_id)
          .where('key', '=', key)
          .execute()
      }),
    release: () =>
      database.inScope(scope, async tx => {
        await tx.deleteFrom('idempotency').where('user_id', '=', own.user_id).where('key', '=', key).where('reply', 'is', null).execute()
      }),
  }
}
