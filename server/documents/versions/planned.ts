import { documentKinds, type StepDocumentKind, saleKinds } from '#common/documents/kinds.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { World } from '#server/kit/app-context.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Words } from '#common/kit/words/words.ts'
import { type ProductFileKind, productFileKinds } from '#server/products/public.ts'
import { editionOf } from '../pdf/facts.ts'
import type { FileRow, NewFileRow } from '../queries.ts'

/** The fields of a policy, as it is or was in a version, that decide its documents. */
export type DocumentedPolicy = {
  id: string
  status: string
  version: number
  sold_version: number | null
  number: string | null
  locale: Locale
  seller_id: string
}

export type Kind = StepDocumentKind | ProductFileKind | 'offer'
const soldKinds: readonly Kind[] = [...saleKinds, ...productFileKinds]
const budgetKinds: readonly Kind[] = ['offer', ...productFileKinds]

export const isOfProduct = (kind: Kind): kind is ProductFileKind => productFileKinds.some(each => each === kind)

export type NewFile = NewFileRow & { id: string; name: string; media_type: string }
export type PlannedDocument = { kind: Kind; label: string; row: NewFile }

/** True for a version after the sale. Its files are inserted with its step, and show which documents it has. */
const isOfMovement = ({ version, sold_version: sold }: DocumentedPolicy): boolean => sold !== null && version > sold

/**
 * Returns the documents of a policy's version. Their ids derive from policy, version and kind, so that concurrent requests make one set. `ofStep`:
 * the kinds of a step; a sale or a saved quote always has the same ones.
 */
export function documentsOf(
  world: Pick<World, 'words' | 'clock'>,
  policy: DocumentedPolicy,
  ofStep: readonly Kind[] = [],
): PlannedDocument[] {
  const words = world.words(policy.locale)
  const kinds: readonly Kind[] = isOfMovement(policy) ? inOrder(ofStep) : policy.number === null ? budgetKinds : soldKinds
  const edition = editionOf(policy)
  return kinds.map(kind => ({
    kind,
    label: labelOf(kind, edition, words),
    row: {
      id: stableId('paper', policy.id, String(policy.version), kind),
      kind,
      name: `${[nameOf(kind, words), policy.number, edition > 1 ? `v${edition}` : ''].filter(Boolean).join(' ')}.pdf`,
      media_type: 'application/pdf',
      locale: policy.locale,
      state: 'pending',
      user_id: policy.seller_id,
      policy_id: policy.id,
      policy_version: policy.version,
      created_at: world.clock.now(),
    },
  }))
}

const inOrder = (kinds: readonly Kind[]): Kind[] => documentKinds.filter(kind => kinds.includes(kind))

/** The kinds of a version's documents, by the files that its step inserted. */
export const kindsIn = (files: readonly FileRow[], version: number): Kind[] =>
  documentKinds.filter(kind => files.some(file => file.kind === kind && file.policy_version === version))

export const labelOf = (kind: Kind, edition: number, words: Words): string =>
  edition > 1 ? words('documents.of_version', { name: nameOf(kind, words), version: edition }) : nameOf(kind, words)

function nameOf(kind: Kind, words: Words): string {
  const names: Record<Kind, string> = {
    cancellation: words('documents.cancellation'),
    withdrawal: words('documents.withdrawal'),
    supplement: words('documents.supplement'),
    certificate: words('documents.certificate'),
    receipt: words('documents.receipt'),
    credit_note: words('documents.credit_note'),
    information: words('documents.information'),
    conditions: words('documents.conditions'),
    offer: words('documents.quote'),
  }
  return names[kind]
}
