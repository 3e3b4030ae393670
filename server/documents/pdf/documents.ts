import type { DocumentKind } from '#common/documents/kinds.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type ProductFileKind, productFileKinds } from '#server/products/public.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Files } from '../files.ts'
import { insertSource } from '../again/queries.ts'
import { type Content, type FileRow, filesOfPolicy, insertFiles, markFailed, markReady, type NewFileRow } from '../queries.ts'
import { certificate, offer } from './certificate.ts'
import type { DocumentFacts, ReadFacts } from './facts.ts'
import { type PdfDocument, type Source, sourceOf } from './document.ts'
import type { Renderer } from './renderer.ts'
import { type ProductDocuments, withLogo } from './product-documents.ts'
import { receipt } from './receipt.ts'

/** What of a policy says which papers it has. */
type Documented = { id: string; status: string; version: number; number: string | null; locale: Locale; seller_id: string }

export type DocumentFile = { uuid: string; name: string; label: string; file: string; state: FileRow['state'] }
type DocumentAttached = { filename: string; contentType: string; size: number; fileId: string }

export type PolicyDocuments = {
  /** Notes, in the transaction of the sale, which papers there will be. */
  note(tx: UnitTx, policy: Documented): Promise<DocumentFile[]>
  /** The papers of the policy as it is now, whether they are made or not. */
  list(tx: UnitTx, policy: Documented): Promise<DocumentFile[]>
  /** Makes those that are not there yet, with no transaction open; a second time it finds them. */
  make(scope: Scope, policyId: string): Promise<DocumentAttached[]>
  /** The same for whoever opens one of them, if it is a paper of the policy as it is now. */
  makeOpened(scope: Scope, policyId: string, id: string): Promise<boolean>
  /** Makes them at once and waits a moment for it, unless others are in line: true when they are there. */
  hurry(scope: Scope, policyId: string): Promise<boolean>
  /** A paper of the policy as it is now, whether it was made or not. */
  document(scope: Scope, policyId: string, id: string): Promise<PdfDocument | undefined>
  /** They cannot be made. */
  giveUp(tx: UnitTx, policyId: string): Promise<unknown>
}

type Kind = DocumentKind | 'offer'
const soldKinds = ['certificate', 'receipt', 'information', 'conditions'] as const satisfies Kind[]
const budgetKinds = ['offer', 'information', 'conditions'] as const satisfies Kind[]
/** More than these in line, and a reply that waits would only hold up the next. */
const shortLine = 4

type Made = { content: Content; source?: Source }

const isOfProduct = (kind: Kind): kind is ProductFileKind => (productFileKinds as readonly Kind[]).includes(kind)

type Ground = { files: Files; renderer: Renderer; productDocuments: ProductDocuments; readFacts: ReadFacts }

export function openDocuments(world: World, { files, renderer, productDocuments, readFacts }: Ground): PolicyDocuments {
  const making = new Map<string, Promise<DocumentAttached[]>>()

  async function makeAll(scope: Scope, policyId: string): Promise<DocumentAttached[]> {
    const found = await world.database.inScope(scope, async tx => {
      const facts = await readFacts(tx, policyId)
      return facts && { facts, there: await filesOfPolicy(tx, policyId) }
    })
    if (!found) return []
    const { facts, there } = found
    const documents = wanted(world, facts.policy).map(document => ({ document, known: there.find(({ id }) => id === document.row.id) }))
    const missing = documents.filter(({ known }) => known?.state !== 'ready')
    const made = await Promise.allSettled(missing.map(async ({ document }) => ({ document, made: await madeOf(scope, document, facts) })))
    // Those that could be made are there, whatever became of the others.
    const ready = made.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    const rows = missing.flatMap(({ document, known }) => (known ? [] : [document.row]))
    if (ready.length > 0) await world.database.inScope(scope, tx => keepReady(tx, rows, ready))
    const failed = made.find(each => each.status === 'rejected')
    if (failed) throw failed.reason
    const sizes = new Map(ready.map(({ document, made }) => [document.row.id, made.content.size]))
    return documents.map(({ document, known }) => attached(document, sizes.get(document.row.id) ?? known?.size ?? 0))
  }

  async function keepReady(tx: UnitTx, rows: Wanted['row'][], ready: { document: Wanted; made: Made }[]): Promise<void> {
    await insertFiles(tx, rows)
    for (const { document, made } of ready) {
      if (made.source) await insertSource(tx, made.content.content_id, made.source)
      await markReady(tx, document.row.id, made.content)
    }
  }

  /** What the documents of a product are made of is kept with them. */
  async function madeOf(scope: Scope, { kind, row: { id } }: Wanted, told: DocumentFacts): Promise<Made> {
    if (isOfProduct(kind))
      return {
        content: await productDocuments.content(scope, { kind, texts: told.product, seller: told.seller, locale: told.policy.locale }),
      }
    const document = await documentOf(scope, kind, told)
    return { content: await files.keep(scope, id, await renderer.render(document), 'application/pdf'), source: sourceOf(document) }
  }

  async function documentOf(scope: Scope, kind: Kind, told: DocumentFacts): Promise<PdfDocument> {
    const { seller, product, policy } = told
    if (isOfProduct(kind)) return productDocuments.document(scope, { kind, texts: product, seller, locale: policy.locale })
    const facts = { ...told, seller: await withLogo(files, scope, seller) }
    const words = world.words(policy.locale)
    switch (kind) {
      case 'certificate':
        return certificate(facts, words, `${world.publicUrl()}/verify`)
      case 'receipt':
        return receipt(facts, words)
      case 'offer':
        return offer(facts, words)
    }
  }

  const documents: PolicyDocuments = {
    async note(tx, policy) {
      const documents = wanted(world, policy)
      await insertFiles(
        tx,
        documents.map(({ row }) => row),
      )
      return documents.map(document => shown(policy, document, 'pending'))
    },
    async list(tx, policy) {
      const there = new Map((await filesOfPolicy(tx, policy.id)).map(({ id, state }) => [id, state]))
      return wanted(world, policy).map(document => shown(policy, document, there.get(document.row.id) ?? 'pending'))
    },
    make(scope, policyId) {
      const key = keyOf(scope, policyId)
      const made = making.get(key) ?? makeAll(scope, policyId).finally(() => making.delete(key))
      making.set(key, made)
      return made
    },
    async makeOpened(scope, policyId, id) {
      const facts = await world.database.inScope(scope, tx => readFacts(tx, policyId))
      if (!facts || !wanted(world, facts.policy).some(({ row }) => row.id === id.toLowerCase())) return false
      await documents.make(scope, policyId)
      return true
    },
    async document(scope, policyId, id) {
      const facts = await world.database.inScope(scope, tx => readFacts(tx, policyId))
      const found = facts && wanted(world, facts.policy).find(({ row }) => row.id === id)
      return found && documentOf(scope, found.kind, facts)
    },
    async hurry(scope, policyId) {
      const waitMs = world.config.DOCUMENTS_WAIT_MS
      if (waitMs === 0 || (renderer.waiting() >= shortLine && !making.has(keyOf(scope, policyId)))) return false
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<false>(resolve => {
        timer = setTimeout(() => resolve(false), waitMs)
      })
      const made = documents.make(scope, policyId).then(
        () => true,
        // The job after the sale tries again, and tells.
        () => false,
      )
      return Promise.race([made, late]).finally(() => clearTimeout(timer))
    },
    giveUp: (tx, policyId) => markFailed(tx, policyId),
  }
  return documents
}

const keyOf = (scope: Scope, policyId: string): string => `${scope.businessUnitId} ${policyId}`

type Wanted = { kind: Kind; label: string; row: NewFileRow & { id: string; name: string; media_type: string } }

/** The papers that a policy has, by its status and version; their ids follow from it, so that nobody makes a second set. */
function wanted(world: World, policy: Documented): Wanted[] {
  const words = world.words(policy.locale)
  const labels: Record<Kind, string> = {
    certificate: words('documents.certificate'),
    receipt: words('documents.receipt'),
    information: words('documents.information'),
    conditions: words('documents.conditions'),
    offer: words('documents.quote'),
  }
  const kinds: readonly Kind[] = policy.number === null ? budgetKinds : soldKinds
  return kinds.map(kind => ({
    kind,
    label: labels[kind],
    row: {
      id: stableId('paper', policy.id, String(policy.version), kind),
      kind,
      name: `${[labels[kind], policy.number].filter(Boolean).join(' ')}.pdf`,
      media_type: 'application/pdf',
      locale: policy.locale,
      state: 'pending',
      user_id: policy.seller_id,
      policy_id: policy.id,
      created_at: world.clock.now(),
    },
  }))
}

/** Nothing says yet that there is a budget's paper: its link names the budget of which it can be made. */
const shown = (policy: Documented, { label, row: { id, name } }: Wanted, state: FileRow['state']): DocumentFile => ({
  uuid: id,
  name,
  label,
  file: policy.number === null ? `/api/files/${id}?policy=${policy.id}` : `/api/files/${id}`,
  state,
})

const attached = ({ row: { id, name, media_type } }: Wanted, size: number): DocumentAttached => ({
  filename: name,
  contentType: media_type,
  size,
  fileId: id,
})
