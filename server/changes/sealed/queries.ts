import { sql } from 'kysely'
import type { SealedRows } from '#server/kit/sealed/reseal.ts'
import type { OpenChangeRow } from '../queries.ts'
import { stepColumns, stepIn } from '../payment/open.ts'

/** How many rows a transaction encrypts, few enough that no user waits for them. */
const batch = 100

/** The open changes, for the start that encrypts them. */
export const sealedChanges: SealedRows = {
  table: 'open_changes',
  isOpen: sql`step is not null and sealed_by is null`,
  inTx: (database, work) => database.atLeisure(work),
  async seal(secrets, tx, key, unitId) {
    const { rows } = await sql<OpenChangeRow>`
      select * from open_changes where business_unit_id = ${unitId} and step is not null and sealed_by is not distinct from ${key}
      limit ${batch} for update skip locked`.execute(tx)
    for (const open of rows) {
      const step = stepIn(secrets, open)
      if (step)
        await tx
          .updateTable('open_changes')
          .set(stepColumns(secrets, open.id, step))
          .where('business_unit_id', '=', open.business_unit_id)
          .where('id', '=', open.id)
          .execute()
    }
    return rows.length
  },
}
