import { type Tx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { audit, type Where } from '#server/session/audit.ts'
import { homeUnit } from '#server/session/queries.ts'
import { scopeOf } from '#server/session/scope.ts'
import { activeAdministrators, isAdministrator } from './own-access.ts'

/** The outbox message that a user was made an administrator, one to each of the others. The mail feature notifies them. */
export const administratorMade = 'session.administrator_made'

/** The audited action. Entries of the command have no request, those of calls have one. */
export const madeAdministrator = 'administration.administrator_made'

/**
 * Changes a user's access. A change that makes the user an administrator is audited, so that bordereaux know who is new, and the other administrators
 * are notified. An open invitation counts, so that its sender is known.
 */
export async function notingAdministrator<T>(world: World, tx: Tx, where: Where, userId: string, change: () => Promise<T>): Promise<T> {
  const before = await isAdministrator(tx, userId)
  const changed = await change()
  if (before || !(await isAdministrator(tx, userId))) return changed
  await audit(world, tx, where, { action: madeAdministrator, outcome: 'done', object: userId })
  for (const { id } of await activeAdministrators(tx).execute()) {
    if (id === userId || id === where.caller?.userId) continue
    const unit = await homeUnit(tx, id)
    if (!unit) continue
    await world.outbox.publish(within(tx, scopeOf(unit.business_unit_id)), administratorMade, {
      userId: id,
      madeId: userId,
      by: where.caller?.name ?? '',
      at: world.realTime.now().toISOString(),
    })
  }
  return changed
}
