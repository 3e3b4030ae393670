import { sql } from 'kysely'
import { longestReference } from '#common/accounting/book.ts'
import { likeOne } from '#common/accounting/by-hand.ts'
import type { Payer } from '#common/accounting/bank/propose.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnitsTx, UnitTx } from '#server/kit/database.ts'
import { type TaskOf, TooHeavy } from '#server/kit/workers/workers.ts'
import { bookPayment } from '../by-hand/book.ts'
import { bookedByHand } from '../by-hand/queries.ts'
import { lockSlots } from '../limit.ts'
import type { KnownEntry, readBankFile } from './read-file.ts'

/**
 * Reserves an entry for a unit for good. False if any unit has it. A concurrent request waits for this one. The unit's role may only insert, so the
 * query returns no columns.
 */
async function claimEntry(tx: UnitTx, { id, alike, at }: { id: string; alike: string; at: Date }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into bank_entries (id, alike, booked_for, booked_at) values (${id}, ${alike}, ${tx.businessUnitId}, ${at})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** A booked entry with its agency. */
export type BookedEntry = { id: string; alike: string; unitId: string; brandName: string }

/** Returns the booked entries that have one of these `alike` fingerprints. */
export async function bookedAmong(tx: AllUnitsTx, alike: readonly string[]): Promise<BookedEntry[]> {
  const { rows } = await sql<BookedEntry>`
    select entry.id, entry.alike, unit.id as "unitId", unit.settings->>'brandName' as "brandName"
    from bank_entries as entry join business_units as unit on unit.id = entry.booked_for
    where entry.alike = any(${[...alike]}::uuid[])`.execute(tx)
  return rows
}

const task: TaskOf<typeof readBankFile> = { module: new URL('read-file.ts', import.meta.url).href, name: 'readBankFile' }

/** Reads a bank's file in another thread, which takes over its bytes. */
export async function readBank(world: World, owner: string, bytes: Buffer, payers: Payer[]): Promise<ReturnType<typeof readBankFile>> {
  try {
    return await world.workers.run(owner, task, bytes, payers)
  } catch (error) {
    if (error instanceof TooHeavy) return { entries: [], problems: [{ fault: 'heavy' }] }
    throw error
  }
}

type Confirmed = { entry: KnownEntry; by: string; again: boolean }

/**
 * Books a bank's entry on an agency's account. Returns `before` if any agency has the entry already. Returns `by_hand` if it looks like a payment
 * booked by hand, unless a person has said that it is another one.
 */
export async function bookBankEntry(world: World, tx: UnitTx, { entry, by, again }: Confirmed): Promise<'booked' | 'before' | 'by_hand'> {
  const { id, alike, cents, currency, way, isReversal, bookedOn: on, reference } = entry
  // A concurrent payment by hand waits for this one, or is already visible here.
  await lockSlots(tx, currency)
  if (!again && likeOne(entry, await bookedByHand(tx, [cents]))) return 'by_hand'
  if (!(await claimEntry(tx, { id, alike, at: world.clock.now() }))) return 'before'
  await bookPayment(world, tx, { requestId: id, by, cents, currency, way, isReversal, on, reference: reference.slice(0, longestReference) })
  return 'booked'
}
