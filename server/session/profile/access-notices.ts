import { deviceOf } from '#common/session/device.ts'
import type { World } from '#server/kit/app-context.ts'
import { type Tx, within } from '#server/kit/database.ts'
import { networkOf } from '#server/kit/limits/network.ts'
import { audit, type Where } from '#server/session/audit.ts'
import { homeUnit } from '#server/session/queries.ts'
import { scopeOf } from '#server/session/scope.ts'
import { activeAdministrators, isAdministrator } from './own-access.ts'

/** The outbox message that the protection of an account has changed. The mail feature notifies the user, even of their own changes. */
export const accessChanged = 'session.access_changed'

/** The change: of the password, by its user or by link, or of the second factor or its recovery codes. */
export type AccessChange = 'password' | 'password_link' | 'two_factor_on' | 'two_factor_off' | 'recovery_codes' | 'two_factor_reset'

/**
 * Publishes the change in the change's own transaction, so that no change goes without its mail.
 * The mail carries the name of the user's first unit. Users without a unit get none, as no agency could send it.
 */
export async function notifyAccessChange(world: World, tx: Tx, where: Where, userId: string, change: AccessChange): Promise<void> {
  const unit = await homeUnit(tx, userId)
  if (!unit) return
  const { browser, system } = deviceOf(where.userAgent)
  const by = where.caller && where.caller.userId !== userId ? where.caller.name : ''
  await world.outbox.publish(within(tx, scopeOf(unit.business_unit_id)), accessChanged, {
    userId,
    what: change,
    by,
    at: world.realTime.now().toISOString(),
    network: networkOf(where.ip),
    device: [browser, system].filter(Boolean).join(', '),
  })
}

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
