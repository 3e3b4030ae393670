import { may } from '#common/kit/permissions.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { type Files, openUploads, type SeesUpload } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { bindUpload, findPolicy, isFree, type PolicyRow, policyUploads, uploadOf } from './queries.ts'
import type { RegisterRequest } from './sale/registration.ts'
import type { Sales } from './sale/sale-context.ts'
import { isVisible, permissionFor } from './visibility.ts'

/** Returns whether a reader may see a policyholder's document, as all who see the policy may. */
export const seesPolicyUpload =
  ({ database }: World): SeesUpload['upload'] =>
  async ({ userId, scope, permissions }, { user_id, policy_id: policyId }) => {
    if (policyId === null) return user_id === userId
    const policy = await database.inScope(scope, tx => findPolicy(tx, policyId))
    return isVisible({ userId, unit: { permissions } }, policy) && may(permissions, permissionFor(policy.status))
  }

/**
 * Returns the uploads of a registration: the new one, which is the caller's own and in no other sale, and that of the replaced quote. Refuses any other
 * at its field, known or not.
 */
export async function uploadsFor(
  tx: UnitTx,
  { uploadFile }: Pick<RegisterRequest, 'uploadFile'>,
  { userId }: CallerInUnit,
  replaced: PolicyRow | undefined,
): Promise<{ before: string | undefined; now: string | undefined }> {
  const before = replaced && (await uploadOf(tx, replaced.id))?.id
  const now = uploadFile?.toLowerCase()
  if (now !== undefined && now !== before && !(await isFree(tx, now, userId)))
    throw refuseFields([{ path: 'uploadFile', rule: 'known', key: 'policies.upload_gone' }])
  return { before, now }
}

/** Gives a policy the document that came with its registration. A former one that is not sent again is removed. */
export async function keepUpload(
  { documents }: Sales,
  tx: UnitTx,
  policyId: string,
  { before, now }: Awaited<ReturnType<typeof uploadsFor>>,
): Promise<void> {
  if (before === now) return
  if (before !== undefined) await documents.remove(tx, before)
  if (now !== undefined) await bindUpload(tx, now, policyId)
}

export const removeAbandonedUploads = (world: World, files: Files): Promise<void> =>
  openUploads(world, files, policyUploads).removeAbandoned()
