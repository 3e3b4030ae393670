import { sql, type SqlBool } from 'kysely'
import type { FileKind } from '#common/documents/kinds.ts'
import type { ServiceTx } from '#server/kit/database.ts'

export type Mark = { id: string; marked: boolean }

// Of no unit: asked as the service, at its start or by an operator's command.

export const findMark = (tx: ServiceTx): Promise<Mark | undefined> =>
  tx.selectFrom('file_store').select(['id', 'marked']).executeTakeFirst()

/** Held until the transaction ends: of nodes that start at once, one after another looks at its store. */
export const holdMark = (tx: ServiceTx): Promise<Mark> =>
  tx.selectFrom('file_store').select(['id', 'marked']).forUpdate().executeTakeFirstOrThrow()

export const insertMark = (tx: ServiceTx, id: string) =>
  tx
    .insertInto('file_store')
    .values({ id, marked: false })
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** From now on no store is the installation's until it carries this id. */
export const replaceMark = (tx: ServiceTx, id: string) =>
  tx
    .insertInto('file_store')
    .values({ id, marked: false })
    .onConflict(conflict => conflict.column('one').doUpdateSet({ id, marked: false }))
    .execute()

export const confirmMark = (tx: ServiceTx, id: string) => tx.updateTable('file_store').set({ marked: true }).where('id', '=', id).execute()

/** The names of the newest contents that a database with files believes to be kept. */
export async function newestContents(tx: ServiceTx, many: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('files')
    .select(['business_unit_id', 'content_id'])
    .where('content_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(many)
    .execute()
  return rows.map(({ business_unit_id, content_id }) => `${business_unit_id}/${content_id}`)
}

export type Kept = { business_unit_id: string; id: string; kind: FileKind; content_id: string | null; sha256: string | null }

/** All files of all units that have content, a page at a time: those behind one. */
export const filesBehind = (tx: ServiceTx, last: Kept | undefined, many: number): Promise<Kept[]> =>
  tx
    .selectFrom('files')
    .select(['business_unit_id', 'id', 'kind', 'content_id', 'sha256'])
    .where('content_id', 'is not', null)
    .$if(last !== undefined, query =>
      query.where(sql<SqlBool>`(business_unit_id, id) > (${last?.business_unit_id}::uuid, ${last?.id}::uuid)`),
    )
    .orderBy('business_unit_id')
    .orderBy('id')
    .limit(many)
    .execute()

/** What an operator needs to ask for it again: whose it is, and the ticket that it was brought with. No name that somebody gave it. */
export const describeLost = (tx: ServiceTx, { business_unit_id, id }: Kept): Promise<{ unit: string; ticket: string | null }> =>
  tx
    .selectFrom('business_units')
    .leftJoin('ticket_files', join =>
      join.onRef('ticket_files.business_unit_id', '=', 'business_units.id').on('ticket_files.file_id', '=', id),
    )
    .leftJoin('tickets', join =>
      join.onRef('tickets.business_unit_id', '=', 'business_units.id').onRef('tickets.id', '=', 'ticket_files.ticket_id'),
    )
    .where('business_units.id', '=', business_unit_id)
    .select(['business_units.key as unit', 'tickets.reference as ticket'])
    .executeTakeFirstOrThrow()

export const isLogoKept = async (tx: ServiceTx, { business_unit_id, sha256 }: Kept): Promise<boolean> =>
  (await tx
    .selectFrom('paper_logos')
    .select('sha256')
    .where('business_unit_id', '=', business_unit_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()) !== undefined
