import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { changeLimit, lockSlots, saveTerms, termsOf } from './limit.ts'
import { notifyOverdue } from './notices/notices.ts'
import { currenciesOfStatements } from './statements/queries.ts'
import { overdueOf, standingOf } from './statements/standing.ts'

type Terms = { limit: number | null; liftedUntil: Date | null; netted: boolean; namesInBordereau?: boolean | undefined }

export async function setTerms(tx: UnitTx, currency: string, { limit, liftedUntil, netted, namesInBordereau }: Terms): Promise<void> {
  const terms = await termsOf(tx)
  // The agency has changed its currency, so the limit in the old one ends.
  if (terms?.currency && terms.currency !== currency) await changeLimit(tx, terms.currency, null)
  await changeLimit(tx, currency, limit)
  const names = namesInBordereau === undefined ? {} : { names_in_bordereau: namesInBordereau }
  await saveTerms(tx, { currency, limit_cents: limit, lifted_until: liftedUntil, netted, ...names })
}

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
