import { sql } from 'kysely'
import type { SealedRows } from '#server/kit/sealed/reseal.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

// A repeated request gets its stored reply, which may contain personal data. Each reply is encrypted for its call alone.

type Owner = { business_unit_id: string; user_id: string; key: string }
type StoredReply = { reply: string | null; sealed: Buffer | null; sealed_by: string | null }

const ownerOf = ({ business_unit_id: unit, user_id: user, key }: Owner): string => `reply ${JSON.stringify([unit, user, key])}`

/** Returns the columns of an encrypted reply. */
export function replyColumns(secrets: Secrets, owner: Owner, text: string): { reply: null; sealed: Buffer; sealed_by: string } {
  const { secret, sealedBy } = secrets.seal(ownerOf(owner), Buffer.from(text))
  return { reply: null, sealed: secret, sealed_by: sealedBy }
}

/** Decrypts a reply, also one that an older version stored in clear; null if there is none yet. */
export const replyIn = (secrets: Secrets, owner: Owner, { reply, sealed, sealed_by: sealedBy }: StoredReply): string | null =>
  sealed ? secrets.open(ownerOf(owner), { secret: sealed, sealedBy }).toString() : reply

const batch = 200

/** The replies, for the start that encrypts them. */
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
