import { sql } from 'kysely'
import type { AllUnitsTx, UnitTx } from '#server/kit/database.ts'

/**
 * Reserves an entry for a unit for good. False if any unit has it. A concurrent request waits for this one. The unit's role may only insert, so the
 * query returns no columns.
 */
export async function claimEntry(tx: UnitTx, { id, alike, at }: { id: string; alike: string; at: Date }): Promise<boolean> {
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
