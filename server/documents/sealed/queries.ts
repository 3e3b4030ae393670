import { sql, type SqlBool } from 'kysely'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import { sealedKinds } from './content.ts'

export type SealedRow = { business_unit_id: string; id: string; content_id: string; sha256: string | null; sealed_by: string | null }

/** Returns the next page of all units' files of sealed kinds that have content, after `last`. */
export const filesToSeal = (tx: ServiceTx, last: SealedRow | undefined, limit: number) =>
  tx
    .selectFrom('files')
    .select(['business_unit_id', 'id', 'content_id', 'sha256', 'sealed_by'])
    .where('kind', 'in', sealedKinds)
    .where('content_id', 'is not', null)
    .$narrowType<{ content_id: string }>()
    .$if(last !== undefined, query =>
      query.where(sql<SqlBool>`(business_unit_id, id) > (${last?.business_unit_id}::uuid, ${last?.id}::uuid)`),
    )
    .orderBy('business_unit_id')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Notes the key that sealed a content. Returns false if no file has the content any more. */
export const noteSealed = async (tx: UnitTx, contentId: string, sealedBy: string): Promise<boolean> =>
  (
    await tx
      .updateTable('files')
      .set({ sealed_by: sealedBy })
      .where('content_id', '=', contentId)
      .where('kind', 'in', sealedKinds)
      .returning('id')
      .execute()
  ).length > 0

/** Returns the keys by which files of sealed kinds are sealed; null stands for files that are not. */
export async function keysOfFiles(tx: ServiceTx): Promise<(string | null)[]> {
  const { rows } = await sql<{ key: string | null }>`
    with recursive keys as (
      (select sealed_by as key from files where kind in ('ticket', 'copy') order by sealed_by limit 1)
      union all
      select (select sealed_by from files where kind in ('ticket', 'copy') and sealed_by > key order by sealed_by limit 1) from keys where key is not null)
    select key from keys where key is not null
    union all
    (select null from files where kind in ('ticket', 'copy') and sealed_by is null and content_id is not null limit 1)`.execute(tx)
  return rows.map(({ key }) => key)
}
