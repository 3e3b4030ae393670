import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import type { FileKind } from '#common/documents/kinds.ts'
import type { FileRow } from './rows.ts'

/** What one needs to see files of a kind. Whoever brought a file, or made its sale, may see it anyway. */
const needs: Record<FileKind, Permission | 'unit'> = {
  certificate: 'b2b-policies-sold-view',
  receipt: 'b2b-policies-sold-view',
  information: 'unit',
  conditions: 'unit',
  offer: 'b2b-policies-draft-view',
  upload: 'b2b-policies-sold-view',
  ticket: 'b2b-access',
  logo: 'unit',
}

export const maySee = ({ userId, permissions }: Reader, file: Pick<FileRow, 'kind' | 'user_id'>): boolean => {
  const needed = needs[file.kind]
  return needed === 'unit' || file.user_id === userId || may(permissions, needed)
}

type Reader = { userId: string; permissions: readonly string[] }

/** A paper of a policy that the reader may not know of: he is shown only what he sold himself. */
export const isHidden = ({ userId, permissions }: Reader, file: Pick<FileRow, 'kind' | 'user_id'>): boolean =>
  tellsOfAPerson(file.kind) && file.kind !== 'ticket' && file.user_id !== userId && narrowedToOwn(permissions)

/** What is made for everybody, or shows a brand, does not. */
export const tellsOfAPerson = (kind: FileKind): boolean => needs[kind] !== 'unit'
