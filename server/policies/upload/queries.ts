import { sql, type SqlBool } from 'kysely'
import { looseFiles, type UploadsOf } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The documents of policyholders. One without a policy or a saved quote belongs to its uploader. */
export const policyUploads: UploadsOf = { kind: 'upload', isLoose: sql<SqlBool>`policy_id is null` }

export type PolicyUpload = { id: string; name: string; mediaType: string; size: number }

/** Returns the document that the policyholder brought to a policy or a saved quote. */
export const uploadOf = (tx: UnitTx, policyId: string): Promise<PolicyUpload | undefined> =>
  tx
    .selectFrom('files')
    .where('policy_id', '=', policyId)
    .where('kind', '=', policyUploads.kind)
    .select(['id', 'name', 'media_type as mediaType', sql<number>`size`.as('size')])
    .executeTakeFirst()

/** Returns whether a user's upload can go with a sale. Locks it. */
export const isFree = async (tx: UnitTx, id: string, userId: string): Promise<boolean> =>
  (await looseFiles(tx, policyUploads, [id], userId)).length > 0

export const bindUpload = (tx: UnitTx, id: string, policyId: string) =>
  tx.updateTable('files').set({ policy_id: policyId }).where('id', '=', id).execute()
