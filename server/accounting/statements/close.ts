import { entriesOfDuty, entriesOfNetting } from '#common/accounting/book.ts'
import { dueDay } from '#common/accounting/statement.ts'
import { addMonths, startOfDay, today } from '#common/kit/dates.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { commonContent } from '#server/products/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { inEachUnit } from '../each-unit.ts'
import { insertBooking, type Span } from '../queries.ts'
import { markOverdue, notifyDueSoon, notifyLimits, notifyReady } from '../notices/notices.ts'
import {
  balancesBefore,
  idAfterClosing,
  insertStatement,
  lastClosed,
  lastStatement,
  type OpenMonth,
  openMonths,
  otherCurrencies,
  unitsPastDue,
} from './queries.ts'

/** Closes every month that is over, of every unit, the earliest first. Any number of nodes may do so at once. */
export async function closeMonths(world: World): Promise<void> {
  const failed = new Set<string>()
  for (;;) {
    // The service finds the units whose month is over; each is closed in its own unit's transaction.
    const months = await world.database.asService(tx => openMonths(tx, world.businessClock.now()))
    const open = months.filter(({ businessUnitId }) => !failed.has(businessUnitId))
    if (open.length === 0) return
    for (const month of open)
      await closeMonth(world, month).catch((err: unknown) => {
        // A unit that fails does not keep the others open, and is retried in the next round.
        failed.add(month.businessUnitId)
        world.log.error({ err, businessUnitId: month.businessUnitId }, 'a month could not be closed')
      })
  }
}

/**
 * Returns the work of each round: it closes months and notifies agencies how much of their limit is used. Once an hour, it notifies agencies whose
 * statement is due or overdue, and marks the overdue ones.
 */
export function openClosing(world: World): () => Promise<void> {
  let hour = 0
  return async () => {
    await closeMonths(world)
    await notifyLimits(world)
    const now = Math.floor(world.businessClock.now().getTime() / 3_600_000)
    if (now === hour) return
    await notifyDueSoon(world)
    await markOverdueAgencies(world)
    hour = now
  }
}

async function markOverdueAgencies(world: World): Promise<void> {
  const units = await world.database.asService(tx => unitsPastDue(tx, world.businessClock.now()))
  await inEachUnit(world, units, tx => markOverdue(world, tx))
}

/** The hour of the day after a month from which on the month is over (`openMonths`). */
const hoursAfter = 6

/**
 * Closes a unit's month at a person's request, as after an outage; `also` runs in the same transaction. Months are closed in order.
 */
export async function closeByHand(world: World, scope: Scope, month: string, also: (tx: UnitTx) => Promise<void>): Promise<void> {
  const now = world.businessClock.now()
  const months = await world.database.asService(tx => openMonths(tx, now))
  const open = months.find(({ businessUnitId }) => businessUnitId === scope.businessUnitId)
  const first = open?.month.slice(0, 7)
  if (open && first === month) {
    if (await closeMonth(world, open, also)) return
    // Another person or the job closed it first.
    throw new Refusal('account.month_closed', { params: { month } })
  }
  const { closed, timeZone } = await world.database.inScope(scope, async tx => ({
    closed: await lastClosed(tx),
    timeZone: (await unitSettings(tx)).timeZone,
  }))
  if (closed !== undefined && closed >= month) throw new Refusal('account.month_closed', { params: { month } })
  const over = new Date(startOfDay(addMonths(`${month}-01`, 1), timeZone)).getTime() + hoursAfter * 3_600_000
  if (now.getTime() < over) throw new Refusal('account.month_not_over', { params: { month } })
  if (first !== undefined && first < month) throw new Refusal('account.month_before', { params: { month: first } })
  throw new Refusal('account.month_empty', { params: { month } })
}

/** Writes a month's statements of all currencies in one transaction, so a crash leaves none of them. False if it has been closed meanwhile. */
function closeMonth(world: World, month: OpenMonth, also?: (tx: UnitTx) => Promise<void>): Promise<boolean> {
  return world.database.inScope(scopeOf(month.businessUnitId), async tx => {
    const late = await idAfterClosing(tx)
    const { from, until, currency } = month
    // An opening is booked at the last instant before the first month.
    const others = await otherCurrencies(tx, { from: new Date(from.getTime() - 1), until, currency }, late)
    // All ids are made before `next`: ids of one millisecond have no order, and no duty booked here may count again in the next month.
    const ids = [currency, ...others].flatMap(() => [world.ids.next(), world.ids.next()])
    const [next = '', ...before] = [...ids, world.ids.next()].toSorted().toReversed()
    const idsOf = (index: number): ClosingIds => ({ id: before[2 * index] ?? '', dutyId: before[2 * index + 1] ?? '', next })
    // The unit's own currency has a statement every month, which tells other nodes that the month is closed.
    if (!(await close(world, tx, month, { from, until, currency, late }, idsOf(0)))) return false
    for (const [index, other] of others.entries()) await close(world, tx, month, { from, until, currency: other, late }, idsOf(index + 1))
    await also?.(tx)
    return true
  })
}

/** The ids of a statement and its duty, and the first id after the closing. All currencies share that one, as `idAfterClosing` assumes. */
type ClosingIds = { id: string; dutyId: string; next: string }

/** Returns false if another node has closed it meanwhile. With netting, the commission is set against the account at once. */
async function close(world: World, tx: UnitTx, open: OpenMonth, span: Span, { id, dutyId, next }: ClosingIds): Promise<boolean> {
  const { key, month, timeZone, netted } = open
  const { currency, until } = span
  const closedAt = world.businessClock.now()
  const name = `${key}-${month.slice(0, 7)}`
  const last = await lastStatement(tx, currency)
  const balances = await insertStatement(tx, {
    ...span,
    next,
    id,
    number: currency === open.currency ? name : `${name}-${currency}`,
    month,
    timeZone,
    closedAt,
    dueOn: dueDay(addMonths(month, 1), today(closedAt, timeZone)),
    netted,
    dutyBp: await dutyOf(tx),
    before: last ? { account: last.account_after_cents, commission: last.commission_after_cents } : await balancesBefore(tx, span),
  })
  if (balances && balances.duty !== 0) {
    const at = new Date(until.getTime() - 1)
    await insertBooking(tx, { id: dutyId, at, kind: 'stamp_duty', currency }, entriesOfDuty(balances.duty))
  }
  if (balances && netted && balances.commission !== 0)
    // Booked in the next month, whose first booking it may be, also if that month is closed in the same round.
    await insertBooking(tx, { id: world.ids.next(), at: until, kind: 'netting', currency }, entriesOfNetting(balances.commission))
  // Months before the last one are closed late, as after an update, and need no notice.
  const isLast = today(closedAt, timeZone) < addMonths(month, 2)
  if (balances && isLast && (balances.deeds > 0 || balances.account !== 0 || balances.commission !== 0)) await notifyReady(world, tx, id)
  return balances !== undefined
}

/** Returns the rate of the duty on commission in the agency's country, in basis points, as the catalogue has it today. */
export async function dutyOf(tx: UnitTx): Promise<number> {
  const { country } = await unitSettings(tx)
  const { afterSale } = (await commonContent(tx)).content
  return afterSale?.commissionDuties?.[String(country)]?.rateBp ?? 0
}
