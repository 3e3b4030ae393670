import { entriesOfNetting } from '#common/accounting/entries.ts'
import { addMonths } from '#common/kit/dates.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { scopeOf } from '#server/session/public.ts'
import type { Window } from '../queries.ts'
import { insertBooking } from '../queries.ts'
import { markOverdue } from '../settle.ts'
import { insertStatement, type OpenMonth, openMonths, otherCurrencies, statementBefore, unitsPastDue } from './queries.ts'

/** Closes every month that is over, of every unit, the earliest first. Any number of nodes may do so at once. */
export async function closeMonths(world: World): Promise<void> {
  for (;;) {
    // The service finds the units whose month is over; each is closed in its own unit's transaction.
    const open = await world.database.asService(tx => openMonths(tx, world.businessClock.now()))
    if (open.length === 0) return
    for (const month of open) await closeMonth(world, month)
  }
}

/** Returns the work of each round: it closes months, and once an hour marks agencies whose statement has become overdue. */
export function openClosing(world: World): () => Promise<void> {
  let hour = 0
  return async () => {
    await closeMonths(world)
    const now = Math.floor(world.businessClock.now().getTime() / 3_600_000)
    if (now === hour) return
    await markOverdueAgencies(world)
    hour = now
  }
}

async function markOverdueAgencies(world: World): Promise<void> {
  const units = await world.database.asService(tx => unitsPastDue(tx, world.businessClock.now()))
  for (const unit of units) await world.database.inScope(scopeOf(unit), tx => markOverdue(world, tx))
}

/** Writes a month's statements of all currencies in one transaction, so a crash leaves none of them. */
async function closeMonth(world: World, month: OpenMonth): Promise<void> {
  await world.database.inScope(scopeOf(month.businessUnitId), async tx => {
    // The unit's own currency has a statement every month, which tells other nodes that the month is closed.
    if (!(await close(world, tx, month, month))) return
    for (const currency of await otherCurrencies(tx, month))
      await close(world, tx, month, { from: month.from, until: month.until, currency })
  })
}

/** Returns false if another node has closed it meanwhile. With netting, the commission is set against the account at once. */
async function close(world: World, tx: UnitTx, open: OpenMonth, window: Window): Promise<boolean> {
  const { key, month, timeZone, netted } = open
  const { currency } = window
  const closedAt = world.businessClock.now()
  const name = `${key}-${month.slice(0, 7)}`
  const last = await statementBefore(tx, window)
  const balances = await insertStatement(tx, {
    ...window,
    late: last?.next_id,
    next: world.ids.next(),
    id: world.ids.next(),
    number: currency === open.currency ? name : `${name}-${currency}`,
    month,
    timeZone,
    closedAt,
    dueOn: `${addMonths(month, 1).slice(0, 8)}15`,
    netted,
    before: { account: last?.account_after_cents ?? 0, commission: last?.commission_after_cents ?? 0 },
  })
  if (balances && netted && balances.commission !== 0)
    await insertBooking(tx, { id: world.ids.next(), at: closedAt, kind: 'netting', currency }, entriesOfNetting(balances.commission))
  return balances !== undefined
}
