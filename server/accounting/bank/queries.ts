import { sql } from 'kysely'
import type { AllUnitsTx, UnitTx } from '#server/kit/database.ts'

/**
 * Claims an entry for a unit, for ever. False if any unit has it. Another request at the same moment waits for this one. The unit's role may only add to
 * the table, so nothing is returned of it.
 */
export async function claimEntry(tx: UnitTx, { id, alike, at }: { id: string; alike: string; at: Date }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into bank_entries (id, alike, booked_for, booked_at) values (${id}, ${alike}, ${tx.businessUnitId}, ${at})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** An entry that is booked: the agency, and its name. */
export type BookedEntry = { id: string; alike: string; unitId: string; brandName: string }

/** Returns the booked entries among some, and those that are like one of them. */
export async function bookedAmong(tx: AllUnitsTx, alike: readonly string[]): Promise<BookedEntry[]> {
  const { rows } = await sql<BookedEntry>`
    select entry.id, entry.alike, unit.id as "unitId", unit.settings->>'brandName' as "brandName"
    from bank_entries as entry join business_units as unit on unit.id = entry.booked_for
    where entry.alike = any(${[...alike]}::uuid[])`.execute(tx)
  return rows
}
