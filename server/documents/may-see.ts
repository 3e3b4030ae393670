import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import type { FileKind } from '#common/documents/kinds.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { FileRow } from './queries.ts'

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

type Reader = { userId: string; permissions: readonly Permission[] }

/** A paper of a policy that the reader may not know of: he is shown only what he sold himself. */
export const isHidden = ({ userId, permissions }: Reader, file: Pick<FileRow, 'kind' | 'user_id'>): boolean =>
  concernsPerson(file.kind) && file.user_id !== userId && narrowedToOwn(permissions)

/** Whether somebody may know of what was brought with a ticket. The room of the tickets says. */
export type SeesTicketFile = (reader: Reader & { scope: Scope }, file: Pick<FileRow, 'id' | 'user_id'>) => Promise<boolean>

/** What is made for everybody, or shows a brand, does not. */
export const concernsPerson = (kind: FileKind): boolean => needs[kind] !== 'unit'
