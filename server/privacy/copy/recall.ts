import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { audit, type Where } from '#server/session/public.ts'
import { hashesOf } from '../facts.ts'
import type { Person } from '../persons/key.ts'
import { deleteCopies } from '../retention/batches.ts'
import type { Suppressed } from '../suppressions.ts'

/**
 * Deletes the copies that a person has not opened, with their emails, as they contain what is erased. A link that was sent finds nothing, and a copy
 * that is not made yet never will be.
 */
export async function recallCopies(
  world: World,
  tx: PrivacyUnitTx,
  input: Where & { caller: { userId: string } },
  person: Person,
): Promise<Suppressed[]> {
  const { rows } = await sql<{ id: string; request_id: string }>`
    select id, request_id from person_copies where ${isOf(world, tx, person)} order by id for update`.execute(tx)
  if (rows.length === 0) return []
  await deleteCopies(
    world,
    tx,
    rows.map(({ id }) => id),
  )
  const now = world.clock.now()
  for (const { request_id: object } of rows) {
    // A copy that was not made yet never will be.
    await tx.updateTable('person_requests').set({ done_at: now }).where('id', '=', object).where('done_at', 'is', null).execute()
    await audit(world, tx.whole, input, { action: 'privacy.copy_recalled', outcome: 'done', businessUnitId: tx.businessUnitId, object })
  }
  return rows.map(({ id }) => ({ unit: tx.businessUnitId, kind: 'copy', id }))
}

/** Counts the copies that a person has asked for and not downloaded. */
export async function copiesWaiting(world: World, tx: PrivacyUnitTx, person: Person): Promise<number> {
  const { rows } = await sql`select from person_copies where ${isOf(world, tx, person)} and spent_at is null`.execute(tx)
  return rows.length
}

/** True if two facts agree and neither document nor birth date differs, nor the name unless the document is the same. */
function isOf(world: World, tx: PrivacyUnitTx, person: Person): RawBuilder<SqlBool> {
  const {
    document_hash: document,
    birth_date_hash: birthDate,
    name_hash: name,
  } = hashesOf(world.secrets, tx.businessUnitId, { ...person, email: null })
  const emails = person.emails.map(email => hashesOf(world.secrets, tx.businessUnitId, { ...person, email }).email_hash)
  const agree = [
    sql`document_hash = ${document}`,
    sql`birth_date_hash = ${birthDate}`,
    sql`name_hash = ${name}`,
    sql`email_hash = any(${emails}::bytea[])`,
  ].map(each => sql`coalesce((${each})::integer, 0)`)
  return sql<SqlBool>`business_unit_id = ${tx.businessUnitId} and ${sql.join(agree, sql` + `)} >= 2
    and (document_hash = ${document} or (coalesce(document_hash = ${document}, true) and coalesce(name_hash = ${name}, true)))
    and coalesce(birth_date_hash = ${birthDate}, true)`
}
