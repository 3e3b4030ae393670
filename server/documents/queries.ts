import { type Insertable, type Selectable, sql } from 'kysely'
import type { UnitTx } from '#server/kit/database.ts'
import type { DocumentTables } from './tables.ts'

export type FileRow = Selectable<DocumentTables['files']>
export type NewFileRow = Omit<Insertable<DocumentTables['files']>, 'business_unit_id'>
export type Content = { content_id: string; size: number; sha256: string; sealed_by: string | null }

export const findFile = (tx: UnitTx, id: string): Promise<FileRow | undefined> =>
  tx.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()

export const findFiles = (tx: UnitTx, ids: readonly string[]): Promise<FileRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : tx.selectFrom('files').selectAll().where('id', 'in', ids).execute()

/** Returns the files of a policy, and others that it shares. */
export const filesAround = (tx: UnitTx, policyId: string, others: readonly string[]): Promise<FileRow[]> =>
  tx
    .selectFrom('files')
    .selectAll()
    .where(eb => eb.or([eb('policy_id', '=', policyId), ...(others.length > 0 ? [eb('id', 'in', others)] : [])]))
    .execute()

export const filesOfPolicy = (tx: UnitTx, policyId: string): Promise<FileRow[]> =>
  tx.selectFrom('files').selectAll().where('policy_id', '=', policyId).execute()

/** True for a policy whose data is blocked: its documents are out of use, too. */
export const isPolicyBlocked = async (tx: UnitTx, policyId: string): Promise<boolean> =>
  (await tx.selectFrom('policies').select('id').where('id', '=', policyId).where('status', '=', 'blocked').executeTakeFirst()) !== undefined

/** Inserts files. Existing rows stay unchanged. */
export const insertFiles = async (tx: UnitTx, files: NewFileRow[]): Promise<void> => {
  if (files.length === 0) return
  // The sale of a policy locks it before its files. In the other order, each would wait for the other.
  const policies = [...new Set(files.flatMap(({ policy_id: id }) => id ?? []))]
  if (policies.length > 0) await tx.selectFrom('policies').select('id').where('id', 'in', policies).orderBy('id').forKeyShare().execute()
  await tx
    .insertInto('files')
    .values(files)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'id']).doNothing())
    .execute()
}

/** Marks files ready, in one statement. A ready file stays unchanged, and one that is gone stays gone. */
export const markReady = (tx: UnitTx, made: readonly (Content & { id: string })[]) =>
  tx
    .updateTable('files')
    .from(
      sql<Content & { id: string }>`jsonb_to_recordset(${JSON.stringify(made)}::jsonb)`.as<'made'>(
        sql`made (id uuid, content_id uuid, size integer, sha256 text, sealed_by text)`,
      ),
    )
    .set(eb => ({
      state: 'ready',
      content_id: eb.ref('made.content_id'),
      size: eb.ref('made.size'),
      sha256: eb.ref('made.sha256'),
      sealed_by: eb.ref('made.sealed_by'),
    }))
    .whereRef('files.id', '=', 'made.id')
    .where('files.state', '!=', 'ready')
    .execute()

/** Updates size, hash and key in every file of this content. */
export const replaceContent = (tx: UnitTx, { content_id, size, sha256, sealed_by }: Content) =>
  tx.updateTable('files').set({ size, sha256, sealed_by }).where('content_id', '=', content_id).execute()

export const markFailed = (tx: UnitTx, policyId: string) =>
  tx.updateTable('files').set({ state: 'failed' }).where('policy_id', '=', policyId).where('state', '=', 'pending').execute()

/** Deletes a file. Returns its content's id if no other file uses the content. */
export async function deleteFile(tx: UnitTx, id: string): Promise<string | undefined> {
  const gone = await tx.deleteFrom('files').where('id', '=', id).returning('content_id').executeTakeFirst()
  if (!gone?.content_id) return undefined
  return (await isContentUsed(tx, gone.content_id)) ? undefined : gone.content_id
}

export const isContentUsed = async (tx: UnitTx, contentId: string): Promise<boolean> =>
  (await tx.selectFrom('files').select('id').where('content_id', '=', contentId).limit(1).executeTakeFirst()) !== undefined

/** Marks the certificates of a policy's earlier versions as replaced by the one that it has now. */
export const replaceCertificates = (tx: UnitTx, { id, version }: { id: string; version: number }) =>
  tx
    .updateTable('files')
    .set({ replaced_by: version })
    .where('policy_id', '=', id)
    .where('kind', '=', 'certificate')
    .where('replaced_by', 'is', null)
    .where('policy_version', 'is distinct from', version)
    .execute()

/** Returns the version of the last certificate before a version; undefined if it is the sale's. */
export async function certificateBefore(tx: UnitTx, policyId: string, version: number): Promise<number | undefined> {
  const { last } = await tx
    .selectFrom('files')
    .select(({ fn }) => fn.max('policy_version').as('last'))
    .where('policy_id', '=', policyId)
    .where('kind', '=', 'certificate')
    .where('policy_version', '<', version)
    .executeTakeFirstOrThrow()
  return last ?? undefined
}
