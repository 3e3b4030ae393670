import { may, type Permission } from '#common/kit/permissions.ts'
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

export const maySee = (
  { userId, permissions }: { userId: string; permissions: readonly string[] },
  file: Pick<FileRow, 'kind' | 'user_id'>,
): boolean => {
  const needed = needs[file.kind]
  return needed === 'unit' || file.user_id === userId || may(permissions, needed)
}
