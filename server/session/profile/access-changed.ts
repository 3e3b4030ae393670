import { deviceOf } from '#common/session/device.ts'
import { type Tx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { networkOf } from '#server/kit/http/http.ts'
import type { Where } from '#server/session/audit.ts'
import { homeUnit } from '#server/session/queries.ts'
import { scopeOf } from '#server/session/scope.ts'

/** News that what guards somebody's account is another than before; the mail room tells him, whoever did it. */
export const accessChanged = 'session.access_changed'

/** Chosen anew, chosen by a mailed link, or of the second factor: its being there, or the codes beside it. */
export type AccessChange = 'password' | 'password_link' | 'two_factor_on' | 'two_factor_off' | 'recovery_codes' | 'two_factor_reset'

/**
 * Written in the change's own transaction: no change without its mail. It goes out under the name of the unit that he works for first;
 * whoever works for none has nobody who could write to him.
 */
export async function tellAccessChange(world: World, tx: Tx, where: Where, userId: string, what: AccessChange): Promise<void> {
  const unit = await homeUnit(tx, userId)
  if (!unit) return
  const { browser, system } = deviceOf(where.userAgent)
  const by = where.caller && where.caller.userId !== userId ? where.caller.name : ''
  await world.outbox.publish(within(tx, scopeOf(unit.business_unit_id)), accessChanged, {
    userId,
    what,
    by,
    at: world.clock.now().toISOString(),
    network: networkOf(where.ip),
    device: [browser, system].filter(Boolean).join(', '),
  })
}
