import type { Caller } from '#server/kit/caller.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import { networkOf } from '#server/kit/http/http.ts'

/** From where something was done, and by whom: what every verb is told fits as it is. A job has none of it. */
export type Where = { ip: string; userAgent: string; requestId: string; caller?: Caller | undefined }

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
