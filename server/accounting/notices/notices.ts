import { openNow } from '#common/accounting/statement.ts'
import { addDays, today } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { inEachUnit } from '../each-unit.ts'
import { lockSlots, saveTerms, termsOf } from '../limit/queries.ts'
import { currenciesOfStatements } from '../statements/queries.ts'
import { dueOfRow, overdueOf, type Standing, standingOf } from '../statements/standing.ts'
import { dropLevels, limitUse, markNotice, raiseLevel, unitsDueSoon, unitsNearLimit } from './queries.ts'

/** The outbox message that notifies an agency about its account. The mail feature writes to its accountants. */
export const accountNotice = 'accounting.notice'

export type AccountNotice =
  | { kind: 'ready'; statementId: string }
  /** `open` is what is still to be paid, in cents. */
  | { kind: 'due'; statementId: string; open: number }
  /** All that the agency owes overdue, and the earliest due day of it. */
  | { kind: 'overdue'; amounts: { open: number; currency: string }[]; since: string }
  | { kind: 'limit'; level: number; limit: number; used: number; currency: string }

const publish = (world: World, tx: UnitTx, notice: AccountNotice): Promise<void> => world.outbox.publish(tx, accountNotice, notice)

/** Notifies of a statement in the transaction that closes it, which only one node commits. */
export const notifyReady = (world: World, tx: UnitTx, statementId: string): Promise<void> =>
  publish(world, tx, { kind: 'ready', statementId })

/** Notifies once that a statement will be due. The mark stops the other nodes. */
async function notifyDue(world: World, tx: UnitTx, { row, settled, owed }: Standing): Promise<void> {
  const open = openNow(dueOfRow(row), settled, owed).account
  if (open > 0 && (await markNotice(tx, { kind: 'due', subject: row.number, level: 0, at: world.clock.now() })))
    await publish(world, tx, { kind: 'due', statementId: row.id, open })
}

/** Notifies of all overdue statements together when another one becomes overdue. A mark makes each of them the reason once. */
async function notifyOverdue(
  world: World,
  tx: UnitTx,
  numbers: readonly string[],
  overdue: Omit<Extract<AccountNotice, { kind: 'overdue' }>, 'kind'>,
): Promise<void> {
  let isNew = false
  for (const subject of numbers) if (await markNotice(tx, { kind: 'overdue', subject, level: 0, at: world.clock.now() })) isNew = true
  if (isNew) await publish(world, tx, { kind: 'overdue', ...overdue })
}

/** How many days before the due day an agency is reminded of its debt. */
const daysBefore = 3

/** Notifies agencies of statements that are due within three days. */
export async function notifyDueSoon(world: World): Promise<void> {
  const now = world.businessClock.now()
  // The service finds the units; each is notified in its own unit's transaction.
  const units = await world.database.asService(tx => unitsDueSoon(tx, now, daysBefore))
  await inEachUnit(world, units, async tx => {
    const { timeZone } = await unitSettings(tx)
    const on = today(now, timeZone)
    const standing = await standingOf(tx, now, timeZone)
    const soon = standing.filter(({ row, state }) => state === 'open' && row.due_on >= on && row.due_on <= addDays(on, daysBefore))
    for (const each of soon) await notifyDue(world, tx, each)
  })
}

/** Notifies agencies that have used most of their credit limit, once for each level until they are below all of them again. */
export async function notifyLimits(world: World): Promise<void> {
  const now = world.businessClock.now()
  const units = await world.database.asService(tx => unitsNearLimit(tx, now))
  await inEachUnit(world, units, async tx => {
    const use = await limitUse(tx, now)
    const level = use ? limitLevel(use.limit, use.headroom) : 0
    if (!use || level === 0) await dropLevels(tx)
    else if (await raiseLevel(tx, { kind: 'limit', subject: use.currency, level, at: now })) {
      const { limit, headroom, currency } = use
      await publish(world, tx, { kind: 'limit', level, limit, used: limit - headroom, currency })
    }
  })
}

/** The percentages of the credit limit at which an agency is notified, the highest first. */
const levels = [100, 95, 80] as const

/** Returns the highest level that is reached, or 0. A limit of 0 is always reached. */
export const limitLevel = (limit: number, headroom: number): number => levels.find(level => (limit - headroom) * 100 >= limit * level) ?? 0

/** Marks the agency as overdue since its oldest overdue statement, or removes the mark once nothing is owed. */
export async function markOverdue(world: World, tx: UnitTx): Promise<void> {
  // All slots are opened, as an amount that opens its slot is not checked. The locks keep the debt unchanged until the mark is set.
  for (const currency of await currenciesOfStatements(tx)) await lockSlots(tx, currency)
  const standing = await standingOf(tx, world.clock.now(), (await unitSettings(tx)).timeZone)
  const terms = await termsOf(tx)
  const amounts: { open: number; currency: string }[] = []
  const numbers: string[] = []
  let since: string | null = null
  for (const currency of new Set(standing.map(({ row }) => row.currency))) {
    const overdue = overdueOf(standing, currency)
    if (!overdue) continue
    amounts.push({ open: overdue.open, currency })
    numbers.push(...overdue.numbers)
    if (since === null || overdue.since < since) since = overdue.since
  }
  if (since !== null) await notifyOverdue(world, tx, numbers, { amounts, since })
  if (since !== (terms?.overdue_since ?? null)) await saveTerms(tx, { overdue_since: since })
}
