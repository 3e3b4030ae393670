import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { DocumentTables } from './tables.ts'

export type FileRow = Selectable<DocumentTables['files']>
export type NewFileRow = Omit<Insertable<DocumentTables['files']>, 'business_unit_id'>
export type Content = { content_id: string; size: number; sha256: string }

export const findFile = (scope: Scope, tx: Tx, id: string): Promise<FileRow | undefined> =>
  tx.selectFrom('files').selectAll().where('business_unit_id', '=', scope.businessUnitId).where('id', '=', id).executeTakeFirst()

export const filesOfPolicy = (scope: Scope, tx: Tx, policyId: string): Promise<FileRow[]> =>
  tx.selectFrom('files').selectAll().where('business_unit_id', '=', scope.businessUnitId).where('policy_id', '=', policyId).execute()

/** Whoever writes a row that is there already changes nothing. */
export const insertFiles = async (scope: Scope, tx: Tx, files: NewFileRow[]): Promise<void> => {
  if (files.length === 0) return
  await tx
    .insertInto('files')
    .values(files.map(file => ({ business_unit_id: scope.businessUnitId, ...file })))
    .onConflict(conflict => conflict.columns(['business_unit_id', 'id']).doNothing())
    .execute()
}

/** What is ready stays as it is. */
export const markReady = (scope: Scope, tx: Tx, id: string, content: Content) =>
  tx
    .updateTable('files')
    .set({ state: 'ready', ...content })
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .where('state', '!=', 'ready')
    .execute()

/** Every file of these bytes has them in their new form. */
export const replaceContent = (scope: Scope, tx: Tx, { content_id, size, sha256 }: Content) =>
  tx
    .updateTable('files')
    .set({ size, sha256 })
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('content_id', '=', content_id)
    .execute()

export const markFailed = (scope: Scope, tx: Tx, policyId: string) =>
  tx
    .updateTable('files')
    .set({ state: 'failed' })
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('policy_id', '=', policyId)
    .where('state', '=', 'pending')
    .execute()

/** Gone; and the name of its bytes, where they serve no other file. */
export async function deleteFile(scope: Scope, tx: Tx, id: string): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom('files')
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .returning('content_id')
    .executeTakeFirst()
  if (!gone?.content_id) return undefined
  return (await isContentUsed(scope, tx, gone.content_id)) ? undefined : gone.content_id
}

export const isContentUsed = async (scope: Scope, tx: Tx, contentId: string): Promise<boolean> =>
  (await tx
    .selectFrom('files')
    .select('id')
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('content_id', '=', contentId)
    .limit(1)
    .executeTakeFirst()) !== undefined
