import { randomInt } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { withTheNext } from '#server/kit/sql/connection.ts'
import type { AccountingTables } from '../tables.ts'

export const slots = 16

/** An amount that is put on the agency's account, or taken off it if negative. */
type Exposure = { cents: number; currency: string; at: Date | string }

/**
 * Moves an amount in one slot, opening it if needed (take_headroom.sql). False if the slot has too little under a limit, the agency is overdue, or
 * another request opens the slot at the same moment.
 */
async function moveInSlot(tx: UnitTx, { cents, currency, at }: Exposure, slot: number, enforced: boolean): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select take_headroom(${tx.businessUnitId}, ${currency}, ${slot}::smallint, ${cents}::bigint, ${at}::timestamptz, ${enforced}) as moved`.execute(
    tx,
  )
  return rows[0]?.moved === true
}

/** Takes an amount from one slot if it has enough. Otherwise releases the slot, which the database locks after waiting for it. */
export async function takeFromSlot(tx: UnitTx, exposure: Exposure, slot: number): Promise<boolean> {
  await tx.getExecutor().executeQuery(withTheNext('savepoint before_slot'))
  const isTaken = await moveInSlot(tx, exposure, slot, true)
  if (!isTaken) await sql`rollback to savepoint before_slot`.execute(tx)
  return isTaken
}

type Terms = Selectable<AccountingTables['account_terms']>

export const termsOf = (tx: UnitTx): Promise<Terms | undefined> => tx.selectFrom('account_terms').selectAll().executeTakeFirst()

/** Locks all slots in order, opening missing ones. Returns their total in cents. */
export async function lockSlots(tx: UnitTx, currency: string): Promise<number> {
  await tx
    .insertInto('account_headroom')
    .values(Array.from({ length: slots }, (_, slot) => ({ currency, slot, cents: 0 })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const rows = await tx
    .selectFrom('account_headroom')
    .select('cents')
    .where('currency', '=', currency)
    .orderBy('slot')
    .forUpdate()
    .execute()
  return rows.reduce((sum, { cents }) => sum + cents, 0)
}

/** Locks all slots. Returns what the agency owes on account. */
export async function lockOwed(tx: UnitTx, currency: string): Promise<number> {
  await lockSlots(tx, currency)
  return (await owedByCurrency(tx)).get(currency) ?? 0
}

/** Returns what the agency owes on account by currency: its limit less the room in its slots. A missing currency has no debt. */
export async function owedByCurrency(tx: UnitTx): Promise<Map<string, number>> {
  const terms = await termsOf(tx)
  const { rows } = await sql<{ currency: string; cents: number }>`
    select currency, sum(cents)::bigint as cents from account_headroom where business_unit_id = ${tx.businessUnitId} group by currency`.execute(
    tx,
  )
  return new Map(rows.map(({ currency, cents }) => [currency, (terms?.currency === currency ? (terms.limit_cents ?? 0) : 0) - cents]))
}

/** Spreads an amount over all slots, which are locked. */
const deal = (tx: UnitTx, currency: string, cents: number) =>
  sql`update account_headroom set cents = ${Math.floor(cents / slots)}::bigint + case when slot < ${((cents % slots) + slots) % slots} then 1 else 0 end
    where business_unit_id = ${tx.businessUnitId} and currency = ${currency}`.execute(tx)

export const saveTerms = (tx: UnitTx, terms: Partial<Omit<Terms, 'business_unit_id'>>) =>
  tx
    .insertInto('account_terms')
    .values(terms)
    .onConflict(conflict => conflict.column('business_unit_id').doUpdateSet(terms))
    .execute()

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

type NewTerms = { limit: number | null; liftedUntil: Date | null; netted: boolean; namesInBordereau?: boolean | undefined }

export async function setTerms(tx: UnitTx, currency: string, { limit, liftedUntil, netted, namesInBordereau }: NewTerms): Promise<void> {
  const terms = await termsOf(tx)
  // The agency has changed its currency, so the limit in the old one ends.
  if (terms?.currency && terms.currency !== currency) await changeLimit(tx, terms.currency, null)
  await changeLimit(tx, currency, limit)
  const names = namesInBordereau === undefined ? {} : { names_in_bordereau: namesInBordereau }
  await saveTerms(tx, { currency, limit_cents: limit, lifted_until: liftedUntil, netted, ...names })
}
