import { randomInt } from 'node:crypto'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { deal, type Exposure, lockSlots, moveInSlot, slots, takeFromSlot, type Terms, termsOf } from './queries.ts'

/**
 * Puts an amount on the agency's account, or refuses it beyond the credit limit (decision 57). A refund always passes. Usually this is one query on
 * one of sixteen slots. If that slot has too little, all are locked and what they hold is spread anew.
 */
export async function moveExposure(tx: UnitTx, exposure: Exposure, enforced: boolean): Promise<void> {
  const { cents, currency, at } = exposure
  const isChecked = enforced && cents > 0
  const slot = randomSlot()
  if (await (isChecked ? takeFromSlot(tx, exposure, slot) : moveInSlot(tx, exposure, slot, false))) return
  const headroom = await lockSlots(tx, currency)
  const terms = isChecked ? await termsOf(tx) : undefined
  if (terms?.overdue_since) throw new Refusal('account.overdue', { data: { since: terms.overdue_since } })
  const limit = limitAt(terms, currency, new Date(at))
  if (limit !== undefined && headroom < cents) {
    const data = { limit: fromCents(limit), exposure: fromCents(limit - headroom), headroom: fromCents(headroom), currency }
    throw new Refusal('account.limit', { data })
  }
  await deal(tx, currency, headroom - cents)
}

/** Concurrent sales choose their slots at random, so that few wait for each other. */
export const randomSlot = (): number => randomInt(slots)

/** Returns the limit in force at an instant, if any. */
function limitAt(terms: Terms | undefined, currency: string, at: Date): number | undefined {
  if (!terms || terms.limit_cents === null || terms.currency !== currency) return undefined
  return terms.lifted_until !== null && terms.lifted_until > at ? undefined : terms.limit_cents
}

/** Sets or ends the credit limit. Concurrent sales wait for it, so none is missed. */
export async function changeLimit(
  tx: UnitTx,
  currency: string,
  cents: number | null,
): Promise<{ before: number | null; headroom: number }> {
  const held = await lockSlots(tx, currency)
  // Reads under the lock of the slots, since two concurrent changes would both add their difference.
  const terms = await termsOf(tx)
  const before = terms?.currency === currency ? terms.limit_cents : null
  const headroom = held - (before ?? 0) + (cents ?? 0)
  await deal(tx, currency, headroom)
  return { before, headroom }
}
