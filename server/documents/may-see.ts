import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import type { FileKind } from '#common/documents/kinds.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { FileRow } from './queries.ts'
import type { UploadKind } from './uploads.ts'

/** The permission that shows files of a kind. A file's uploader, or the seller of its policy, needs none. */
const neededFor: Record<FileKind, Permission | 'unit' | 'none'> = {
  certificate: 'b2b-policies-sold-view',
  receipt: 'b2b-policies-sold-view',
  supplement: 'b2b-policies-sold-view',
  credit_note: 'b2b-policies-sold-view',
  cancellation: 'b2b-policies-sold-view',
  withdrawal: 'b2b-policies-sold-view',
  information: 'unit',
  conditions: 'unit',
  offer: 'b2b-policies-draft-view',
  proof: 'b2b-policies-draft-view',
  // Those who see the policy or the ticket of an upload see it, too.
  upload: 'b2b-access',
  ticket: 'b2b-access',
  logo: 'unit',
  // These kinds are sent by calls of their own.
  copy: 'none',
  letter: 'none',
}

export const maySee = ({ userId, permissions }: Reader, file: Pick<FileRow, 'kind' | 'user_id'>): boolean => {
  const needed = neededFor[file.kind]
  if (needed === 'none') return false
  return needed === 'unit' || file.user_id === userId || may(permissions, needed)
}

type Reader = { userId: string; permissions: readonly Permission[] }

/** True if the reader may not know of a file: another user's, for readers of own sales only, or one that has its own call. */
export const isHidden = ({ userId, permissions }: Reader, file: Pick<FileRow, 'kind' | 'user_id'>): boolean =>
  neededFor[file.kind] === 'none' || (concernsPerson(file.kind) && file.user_id !== userId && narrowedToOwn(permissions))

/** Decides whether a reader may know of an upload of a kind. The feature that takes such uploads provides it. */
export type SeesUpload = Record<
  UploadKind,
  (reader: Reader & { scope: Scope }, file: Pick<FileRow, 'id' | 'user_id' | 'policy_id'>) => Promise<boolean>
>

/** True for kinds that may show personal data. Product documents and logos show none. */
export const concernsPerson = (kind: FileKind): boolean => neededFor[kind] !== 'unit'
