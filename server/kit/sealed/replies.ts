import { sql } from 'kysely'
import type { SealedRows } from '#server/kit/sealed/reseal.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

// Replies that are said again have what the first said, also of people. They are sealed for their call alone.

type Owner = { business_unit_id: string; user_id: string; key: string }
type StoredReply = { reply: string | null; sealed: Buffer | null; sealed_by: string | null }

const ownerOf = ({ business_unit_id: unit, user_id: user, key }: Owner): string => `reply ${JSON.stringify([unit, user, key])}`

/** The columns of a reply. */
export function replyColumns(secrets: Secrets, owner: Owner, text: string): { reply: null; sealed: Buffer; sealed_by: string } {
  const { secret, sealedBy } = secrets.seal(ownerOf(owner), Buffer.from(text))
  return { reply: null, sealed: secret, sealed_by: sealedBy }
}

/** Opens a reply, also one that an older version stored openly; null if there is none yet. */
export const replyIn = (secrets: Secrets, owner: Owner, { reply, sealed, sealed_by: sealedBy }: StoredReply): string | null =>
  sealed ? secrets.open(ownerOf(owner), { secret: sealed, sealedBy }).toString() : reply

const batch = 200

/** Replies, for the start that seals them. */
export const sealedReplies: SealedRows = {
  table: 'idempotency',
  isOpen: sql`reply is not null`,
  inTx: (database, work) => database.atLeisure(work),
  async seal(secrets, tx, key, unitId) {
    const { rows } = await sql<Owner & StoredReply>`
      select business_unit_id, user_id, key, reply, sealed, sealed_by from idempotency
      where business_unit_id = ${unitId} and ${key === null ? sql`reply is not null` : sql`sealed_by = ${key}`} limit ${batch} for update skip locked`.execute(
      tx,
    )
    for (const row of rows)
      await tx
        .updateTable('idempotency')
        .set(replyColumns(secrets, row, replyIn(secrets, row, row) ?? ''))
        .where('business_unit_id', '=', row.business_unit_id)
        .where('user_id', '=', row.user_id)
        .where('key', '=', row.key)
        .execute()
    return rows.length
  },
}
