import { entriesOfOpening } from '#common/accounting/book.ts'
import type { Balances } from '#common/accounting/statement.ts'
import { fromCents } from '#common/kit/money.ts'
import { OperatorError } from '#server/config/operator-error.ts'
import type { World } from '#server/kit/app-context.ts'
import { audit, noRequest, scopeOf } from '#server/session/public.ts'
import { lockSlots } from '../limit/queries.ts'
import { insertBooking, unitOfKey } from '../queries.ts'
import { balancesBefore, lastClosed, openedAt } from '../statements/queries.ts'

const byCommand = { ...noRequest, userAgent: 'npm run opening' }

/** `stated`: the agency's debt on account at the end of the month before the update, and the commission owed to it, in cents. */
type Opening = { agency: string; currency: string; stated: Balances; reason: string }

/**
 * Sets the opening balances of an agency's account until its first month is closed. The book is append-only, so only the difference is booked.
 * Returns the former opening.
 */
export async function stateOpening(
  world: Pick<World, 'realTime' | 'ids' | 'database'>,
  { agency, currency, stated, reason }: Opening,
): Promise<Balances> {
  const unitId = await world.database.asService(tx => unitOfKey(tx, agency))
  if (!unitId) throw new OperatorError(`There is no agency ${agency}`)
  return world.database.inScope(scopeOf(unitId), async tx => {
    await lockSlots(tx, currency)
    const at = await openedAt(tx, currency)
    if (!at) throw new OperatorError(`The account of ${agency} in ${currency} has no opening: nothing was sold before the update`)
    const closed = await lastClosed(tx)
    if (closed !== undefined)
      throw new OperatorError(`${closed} of ${agency} is closed. From now on, book payments and write-offs in the administration`)
    const before = await balancesBefore(tx, { from: new Date(at.getTime() + 1), until: at, currency, late: undefined })
    const moved = { account: before.account - stated.account, commission: before.commission - stated.commission }
    if (moved.account !== 0 || moved.commission !== 0)
      await insertBooking(tx, { id: world.ids.next(), at, kind: 'opening', currency }, entriesOfOpening(moved))
    await audit(world, tx, byCommand, {
      action: 'administration.account_opened',
      outcome: 'done',
      reason,
      details: { amount: fromCents(stated.account), commission: fromCents(stated.commission), currency },
    })
    return before
  })
}
