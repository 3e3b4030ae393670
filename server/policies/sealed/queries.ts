import { sql } from 'kysely'
import { numberIn, sealedNumber, type StoredNumber } from '#server/kit/sealed/document-numbers.ts'
import type { SealedRows } from '#server/kit/sealed/reseal.ts'

/** How many rows a transaction encrypts, few enough that a sale waits for one of them only a moment. */
const batch = 500

type Row = StoredNumber & { unit: string; policy_id: string; version: number; position: number }

/** People with document numbers, for the start that encrypts them. Only the role of the retention changes people. */
export const sealedPeople: SealedRows = {
  table: 'policy_people',
  isOpen: sql`document_number is not null`,
  inTx: (database, work) => database.asPrivacy(work),
  async seal(secrets, tx, key, unitId) {
    const { rows } = await sql<Row>`
      select business_unit_id as unit, policy_id, version, position, document_number, sealed, sealed_by from policy_people
      where business_unit_id = ${unitId} and ${key === null ? sql`document_number is not null` : sql`sealed_by = ${key}`} limit ${batch} for update skip locked`.execute(
      tx,
    )
    const sealed = rows.map(({ unit: unitId, policy_id: policyId, ...stored }) =>
      sealedNumber(secrets, { unitId, policyId }, numberIn(secrets, policyId, stored)),
    )
    await sql`
      update policy_people set document_number = null, sealed = each.sealed, sealed_by = each.sealed_by, document_hash = each.hash
      from unnest(${rows.map(({ unit }) => unit)}::uuid[], ${rows.map(row => row.policy_id)}::uuid[], ${rows.map(({ version }) => version)}::integer[],
        ${rows.map(({ position }) => position)}::integer[], ${sealed.map(each => each.sealed)}::bytea[], ${sealed.map(each => each.sealed_by)}::text[],
        ${sealed.map(each => each.document_hash)}::bytea[]) as each (unit, policy_id, version, position, sealed, sealed_by, hash)
      where policy_people.business_unit_id = each.unit and policy_people.policy_id = each.policy_id and policy_people.version = each.version
        and policy_people.position = each.position`.execute(tx)
    return rows.length
  },
}
