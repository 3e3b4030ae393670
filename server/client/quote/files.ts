import { documentsOf } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Sales } from '#server/policies/public.ts'
import { brandKeyOf, productFileId, productFileKinds } from '#server/products/public.ts'
import type { Reader } from '../access.ts'
import { linkIn } from './states.ts'
import { type StoredQuote, storedQuote } from './stored.ts'

/** A document to send, and the version of which it is made. */
export type WantedFile = { id: string; policyId: string; version: number; isMade: boolean }

/** `paper`: the file that the quote itself has of the document. */
type ProductFile = { uuid: string; name: string; label: string; paper: string }

/** Lists the two documents of a quote's product, by the ids that its sale keeps. */
export function filesOf(world: Pick<World, 'words' | 'clock'>, scope: Scope, { policy, settings, sold }: StoredQuote): ProductFile[] {
  const edition = { hash: sold.hash, commonHash: sold.common.hash, locale: policy.locale, brandKey: brandKeyOf(settings) }
  const papers = documentsOf(world, policy)
  return productFileKinds.flatMap(kind => {
    const paper = papers.find(each => each.kind === kind)
    return paper ? [{ uuid: productFileId(scope, kind, edition), name: paper.row.name, label: paper.label, paper: paper.row.id }] : []
  })
}

/** Finds a document of a link's quotes by its id. The quote's own PDF is none of them: it names everybody, and a link may be forwarded. */
export async function fileOfLink({ world }: Sales, tx: UnitTx, reader: Reader, uuid: string): Promise<WantedFile | undefined> {
  const { quotes } = await linkIn(tx, reader.linkId)
  for (const { id, status, version } of quotes) {
    if (status === 'deleted' || status === 'blocked') continue
    const found = filesOf(world, tx.scope, await storedQuote(world.secrets, tx, id)).find(file => file.uuid === uuid)
    if (found) return { id: found.paper, policyId: id, version, isMade: false }
  }
  return undefined
}
