import type { World } from '#server/kit/app-context.ts'
import { editionOf } from '../pdf/facts.ts'
import type { FileRow } from '../queries.ts'
import { type DocumentedPolicy, documentsOf, isOfProduct, kindsIn, labelOf, type PlannedDocument } from './planned.ts'

export type DocumentFile = { uuid: string; name: string; label: string; file: string; version: number; state: FileRow['state'] }

/** `current`: certificate, product documents and those of the last step. The others are of earlier steps. */
export type ListedDocument = DocumentFile & { replaced: boolean; current: boolean }

/** Lists the documents of all versions of a policy, the newest first. Those of a sale or a saved quote may have no files yet. */
export function everyDocument(world: World, policy: DocumentedPolicy, files: readonly FileRow[]): ListedDocument[] {
  const first = { ...policy, version: policy.sold_version ?? policy.version }
  const known = new Map(files.map(file => [file.id, file]))
  const ofSale = documentsOf(world, first).map(document => {
    const file = known.get(document.row.id)
    return { kind: document.kind, ...replyOf(first, document, file?.state ?? 'pending'), replaced: isReplaced(file) }
  })
  const versions = [
    ...new Set(files.flatMap(({ policy_version: version }) => (version !== null && version > first.version ? [version] : []))),
  ].toSorted((a, b) => b - a)
  const last = versions[0] ?? first.version
  return [...versions.flatMap(version => ofMovement(world, { ...policy, version }, files)), ...ofSale].map(({ kind, ...document }) => ({
    ...document,
    current: !document.replaced && (kind === 'certificate' || isOfProduct(kind) || document.version === last),
  }))
}

/** A step's documents keep the names and the language that they were made with. */
function ofMovement(world: World, policy: DocumentedPolicy, files: readonly FileRow[]) {
  const edition = editionOf(policy)
  return kindsIn(files, policy.version).flatMap(kind => {
    const file = files.find(each => each.kind === kind && each.policy_version === policy.version)
    if (!file) return []
    const label = labelOf(kind, edition, world.words(file.locale ?? policy.locale))
    const { id: uuid, name, state } = file
    return [{ kind, uuid, name, label, file: `/api/files/${uuid}`, version: policy.version, state, replaced: isReplaced(file) }]
  })
}

const isReplaced = (file: FileRow | undefined): boolean => typeof file?.replaced_by === 'number'

/** A saved quote's documents have no row yet: the link names the quote from which to make them. */
export const replyOf = (
  policy: DocumentedPolicy,
  { label, row: { id, name } }: PlannedDocument,
  state: FileRow['state'],
): DocumentFile => ({
  uuid: id,
  name,
  label,
  file: policy.number === null ? `/api/files/${id}?policy=${policy.id}` : `/api/files/${id}`,
  version: policy.version,
  state,
})
