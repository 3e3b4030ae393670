import { sql, type SqlBool } from 'kysely'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import { keysIn, type SealedRows } from '#server/kit/sealed/reseal.ts'
import { openedSource, sealedKinds, sourceColumns } from './content.ts'

export type SealedRow = { business_unit_id: string; id: string; content_id: string; sha256: string | null; sealed_by: string | null }

/** Returns the next page of all units' files of encrypted kinds that have content, after `last`. */
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

/** Stores which key encrypted a content. Returns false if no file has the content any more. */
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

/** Literals, as in the condition of the index. */
const literals = sql.join(sealedKinds.map(kind => sql.lit(kind)))

/** Returns the keys that encrypt files of encrypted kinds; null stands for files in clear. */
export const keysOfFiles = (tx: ServiceTx): Promise<(string | null)[]> =>
  keysIn(tx, 'files', {
    among: sql`kind in (${literals})`,
    isOpen: sql`kind in (${literals}) and sealed_by is null and content_id is not null`,
  })

/** How many sources a transaction encrypts. */
const batch = 200

type SourceRow = { business_unit_id: string; content_id: string; source: Buffer; sealed_by: string | null }

/** The sources, for the start that encrypts them. */
export const sealedSources: SealedRows = {
  table: 'paper_sources',
  isOpen: sql`sealed_by is null`,
  inTx: (database, work) => database.atLeisure(work),
  async seal(secrets, tx, key, unitId) {
    const { rows } = await sql<SourceRow>`
      select business_unit_id, content_id, source, sealed_by from paper_sources
      where business_unit_id = ${unitId} and ${key === null ? sql`sealed_by is null` : sql`sealed_by = ${key}`} limit ${batch} for update skip locked`.execute(
      tx,
    )
    const sealed = rows.map(({ content_id: id, source, sealed_by: sealedBy }) =>
      sourceColumns(secrets, id, openedSource(secrets, id, { secret: source, sealedBy })),
    )
    await sql`
      update paper_sources set source = each.source, sealed_by = ${secrets.sealedBy}
      from unnest(${rows.map(row => row.business_unit_id)}::uuid[], ${rows.map(row => row.content_id)}::uuid[],
        ${sealed.map(each => each.source)}::bytea[]) as each (unit, content_id, source)
      where paper_sources.business_unit_id = each.unit and paper_sources.content_id = each.content_id`.execute(tx)
    return rows.length
  },
}
