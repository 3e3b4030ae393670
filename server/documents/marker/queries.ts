import { sql, type SqlBool } from 'kysely'
import type { FileKind } from '#common/documents/kinds.ts'
import type { ServiceTx } from '#server/kit/database.ts'

export type Mark = { id: string; marked: boolean }

// The marker belongs to no unit. The service reads it at its start, and so do the operator's commands.

export const findMark = (tx: ServiceTx): Promise<Mark | undefined> =>
  tx.selectFrom('file_store').select(['id', 'marked']).executeTakeFirst()

/** Locks the marker until the transaction ends. Nodes that start together check their stores one by one. */
export const lockMark = (tx: ServiceTx): Promise<Mark> =>
  tx.selectFrom('file_store').select(['id', 'marked']).forUpdate().executeTakeFirstOrThrow()

export const insertMark = (tx: ServiceTx, id: string) =>
  tx
    .insertInto('file_store')
    .values({ id, marked: false })
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** Replaces the marker: no store is the installation's until it carries this id. */
export const replaceMark = (tx: ServiceTx, id: string) =>
  tx
    .insertInto('file_store')
    .values({ id, marked: false })
    .onConflict(conflict => conflict.column('one').doUpdateSet({ id, marked: false }))
    .execute()

export const confirmMark = (tx: ServiceTx, id: string) => tx.updateTable('file_store').set({ marked: true }).where('id', '=', id).execute()

/** Returns the store names of the newest contents in the database. */
export async function newestContents(tx: ServiceTx, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('files')
    .select(['business_unit_id', 'content_id'])
    .where('content_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ business_unit_id, content_id }) => `${business_unit_id}/${content_id}`)
}

export type ContentRow = { business_unit_id: string; id: string; kind: FileKind; content_id: string | null; sha256: string | null }

/** Returns the next page of all units' files that have content, after `last`. */
export const filesBehind = (tx: ServiceTx, last: ContentRow | undefined, limit: number): Promise<ContentRow[]> =>
  tx
    .selectFrom('files')
    .select(['business_unit_id', 'id', 'kind', 'content_id', 'sha256'])
    .where('content_id', 'is not', null)
    .$if(last !== undefined, query =>
      query.where(sql<SqlBool>`(business_unit_id, id) > (${last?.business_unit_id}::uuid, ${last?.id}::uuid)`),
    )
    .orderBy('business_unit_id')
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Returns the unit of a lost upload, and its ticket or policy, so that an operator can ask for it again. Never returns a name that a user typed.
 */
export const describeLost = (tx: ServiceTx, { business_unit_id, id }: ContentRow): Promise<{ unit: string; of: string | null }> =>
  tx
    .selectFrom('files')
    .innerJoin('business_units', 'business_units.id', 'files.business_unit_id')
    .leftJoin('policies', join =>
      join.onRef('policies.business_unit_id', '=', 'files.business_unit_id').onRef('policies.id', '=', 'files.policy_id'),
    )
    .leftJoin('ticket_files', join =>
      join.onRef('ticket_files.business_unit_id', '=', 'files.business_unit_id').onRef('ticket_files.file_id', '=', 'files.id'),
    )
    .leftJoin('tickets', join =>
      join.onRef('tickets.business_unit_id', '=', 'files.business_unit_id').onRef('tickets.id', '=', 'ticket_files.ticket_id'),
    )
    .where('files.business_unit_id', '=', business_unit_id)
    .where('files.id', '=', id)
    .select(['business_units.key as unit', ({ fn }) => fn.coalesce('tickets.reference', 'policies.number').as('of')])
    .executeTakeFirstOrThrow()

export const isLogoKept = async (tx: ServiceTx, { business_unit_id, sha256 }: ContentRow): Promise<boolean> =>
  (await tx
    .selectFrom('paper_logos')
    .select('sha256')
    .where('business_unit_id', '=', business_unit_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()) !== undefined
