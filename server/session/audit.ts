import { networkOf } from '#server/kit/http/http.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'

/** From where something was done. Every verb is told; a job has none of it. */
export type Where = { ip: string; userAgent: string; requestId: string }

export type Deed = {
  action: string
  outcome: 'done' | 'refused'
  userId?: string | undefined
  businessUnitId?: string | undefined
  object?: string | undefined
  reason?: string
}

/** Who, when, from where, what: written in the transaction of the deed itself, and never changed. */
export async function audit(world: World, tx: Tx, where: Where, deed: Deed): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      id: world.ids.next(),
      at: world.clock.now(),
      business_unit_id: deed.businessUnitId ?? null,
      user_id: deed.userId ?? null,
      action: deed.action,
      object: deed.object ?? null,
      outcome: deed.outcome,
      reason: deed.reason ?? null,
      network: networkOf(where.ip),
      user_agent: where.userAgent,
      request_id: where.requestId,
    })
    .execute()
}
