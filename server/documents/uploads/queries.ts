import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database, UnitTx } from '#server/kit/database.ts'

const kinds = ['ticket', 'upload'] as const
/** The kinds of files that users bring: to a ticket, and with a sale. */
export type UploadKind = (typeof kinds)[number]

/** The uploads of a kind, and the condition for those that belong to nothing yet. */
export type UploadsOf = { kind: UploadKind; isLoose: RawBuilder<SqlBool> }

export type LooseFile = { id: string; name: string; mediaType: string; size: number | null }

/** Reads and locks the files that belong to nothing yet, of one user if stated. */
export async function looseFiles(tx: UnitTx, { kind, isLoose }: UploadsOf, ids: string[], userId?: string): Promise<LooseFile[]> {
  const candidates = tx
    .selectFrom('files')
    .where('kind', '=', kind)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .$if(userId !== undefined, query => query.where('user_id', '=', userId ?? ''))
  // The lock comes first. A query before it could not see what other transactions did in the meantime.
  await candidates.select('id').orderBy('id').forUpdate().execute()
  return candidates.select(['id', 'name', 'media_type as mediaType', 'size']).where(isLoose).execute()
}

/** Counts what a user uploaded since a moment, of all kinds. */
export async function uploadsSince(tx: UnitTx, userId: string, since: Date): Promise<number> {
  const { many } = await tx
    .selectFrom('files')
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('created_at', '>', since)
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return many
}

/** Returns uploads of all units from before a moment that belong to nothing. */
export const abandonedFiles = (database: Database, { kind, isLoose }: UploadsOf, before: Date): Promise<{ unit: string; id: string }[]> =>
  database.asService(tx =>
    tx
      .selectFrom('files')
      .where('kind', '=', kind)
      .where('created_at', '<', before)
      .where(isLoose)
      .select(['business_unit_id as unit', 'id'])
      .limit(1000)
      .execute(),
  )
