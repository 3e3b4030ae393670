import type { DocumentKind } from '#common/documents/kinds.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type ProductFileKind, productFileKinds } from '#server/products/public.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Files } from '../files.ts'
import { insertSource } from '../recreate/queries.ts'
import { type Content, type FileRow, filesOfPolicy, insertFiles, markFailed, markReady, type NewFileRow } from '../queries.ts'
import { certificate, offer } from './certificate.ts'
import type { DocumentFacts, ReadFacts } from './facts.ts'
import { type PdfDocument, type Source, sourceOf } from './document.ts'
import type { Renderer } from './renderer.ts'
import { type ProductDocuments, withLogo } from './product-documents.ts'
import { receipt } from './receipt.ts'

/** The fields of a policy that decide its documents. */
type DocumentedPolicy = { id: string; status: string; version: number; number: string | null; locale: Locale; seller_id: string }

export type DocumentFile = { uuid: string; name: string; label: string; file: string; state: FileRow['state'] }
type DocumentAttachment = { filename: string; contentType: string; size: number; fileId: string }

export type PolicyDocuments = {
  /** Inserts the files of a sale's documents as pending, in the transaction of the sale. */
  insertPending(tx: UnitTx, policy: DocumentedPolicy): Promise<DocumentFile[]>
  /** Lists the documents of the policy as it is now, made or not. */
  list(tx: UnitTx, policy: DocumentedPolicy): Promise<DocumentFile[]>
  /**
   * Makes the missing documents of a version, with no transaction open: by default of the current one, and of the one that was sold for null.
   * Repeated calls find them made.
   */
  make(scope: Scope, policyId: string, version?: number | null): Promise<DocumentAttachment[]>
  /** Does the same if `id` is a document of the policy as it is now; returns whether it is. */
  makeOpened(scope: Scope, policyId: string, id: string): Promise<boolean>
  /** Makes the documents and waits up to DOCUMENTS_WAIT_MS, unless the renderer is busy. Returns true once they are made. */
  makeInTime(scope: Scope, policyId: string): Promise<boolean>
  /** Returns one document of the policy as it is now, made or not. */
  printable(scope: Scope, policyId: string, id: string): Promise<PdfDocument | undefined>
  /** Marks the policy's pending documents as failed. */
  markFailed(tx: UnitTx, policyId: string): Promise<unknown>
}

type Kind = DocumentKind | 'offer'
const soldKinds = ['certificate', 'receipt', 'information', 'conditions'] as const satisfies Kind[]
const budgetKinds = ['offer', 'information', 'conditions'] as const satisfies Kind[]
/** With so many in the queue, a waiting response would only delay the next. */
const longQueue = 4

type NewContent = { content: Content; source?: Source }

const isOfProduct = (kind: Kind): kind is ProductFileKind => productFileKinds.some(each => each === kind)

type Deps = { files: Files; renderer: Renderer; productDocuments: ProductDocuments; readFacts: ReadFacts }

export function openDocuments(world: World, { files, renderer, productDocuments, readFacts }: Deps): PolicyDocuments {
  const pending = new Map<string, Promise<DocumentAttachment[]>>()

  async function makeAll(scope: Scope, policyId: string, version: number | null | undefined): Promise<DocumentAttachment[]> {
    const found = await world.database.inScope(scope, async tx => {
      const facts = await readFacts(tx, policyId, version)
      return facts && { facts, existing: await filesOfPolicy(tx, policyId) }
    })
    if (!found) return []
    const { facts, existing } = found
    const documents = documentsOf(world, facts.policy).map(document => ({
      document,
      known: existing.find(({ id }) => id === document.row.id),
    }))
    const missing = documents.filter(({ known }) => known?.state !== 'ready')
    const outcomes = await Promise.allSettled(
      missing.map(async ({ document }) => ({ document, made: await makeContent(scope, document, facts) })),
    )
    // Documents that succeeded are saved even if others failed.
    const ready = outcomes.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    const rows = missing.flatMap(({ document, known }) => (known ? [] : [document.row]))
    if (ready.length > 0) await world.database.inScope(scope, tx => saveReady(tx, rows, ready))
    const failed = outcomes.find(each => each.status === 'rejected')
    if (failed) throw failed.reason
    const sizes = new Map(ready.map(({ document, made }) => [document.row.id, made.content.size]))
    return documents.map(({ document, known }) => attachmentOf(document, sizes.get(document.row.id) ?? known?.size ?? 0))
  }

  async function saveReady(
    tx: UnitTx,
    rows: PlannedDocument['row'][],
    ready: { document: PlannedDocument; made: NewContent }[],
  ): Promise<void> {
    await insertFiles(tx, rows)
    for (const { document, made } of ready) {
      if (made.source) await insertSource(tx, made.content.content_id, made.source)
      await markReady(tx, document.row.id, made.content)
    }
  }

  /** Makes one document's content. Product documents keep their own source. */
  async function makeContent(scope: Scope, { kind, row: { id } }: PlannedDocument, facts: DocumentFacts): Promise<NewContent> {
    if (isOfProduct(kind))
      return {
        content: await productDocuments.content(scope, { kind, texts: facts.product, seller: facts.seller, locale: facts.policy.locale }),
      }
    const document = await documentOf(scope, kind, facts)
    return { content: await files.storeContent(scope, id, await renderer.render(document), 'application/pdf'), source: sourceOf(document) }
  }

  async function documentOf(scope: Scope, kind: Kind, facts: DocumentFacts): Promise<PdfDocument> {
    const { seller, product, policy } = facts
    if (isOfProduct(kind)) return productDocuments.printable(scope, { kind, texts: product, seller, locale: policy.locale })
    const factsWithLogo = { ...facts, seller: await withLogo(files, scope, seller) }
    const words = world.words(policy.locale)
    switch (kind) {
      case 'certificate':
        return certificate(factsWithLogo, words, `${world.publicUrl()}/verify`)
      case 'receipt':
        return receipt(factsWithLogo, words)
      case 'offer':
        return offer(factsWithLogo, words)
    }
  }

  const documents: PolicyDocuments = {
    async insertPending(tx, policy) {
      const documents = documentsOf(world, policy)
      await insertFiles(
        tx,
        documents.map(({ row }) => row),
      )
      return documents.map(document => replyOf(policy, document, 'pending'))
    },
    async list(tx, policy) {
      const existing = new Map((await filesOfPolicy(tx, policy.id)).map(({ id, state }) => [id, state]))
      return documentsOf(world, policy).map(document => replyOf(policy, document, existing.get(document.row.id) ?? 'pending'))
    },
    make(scope, policyId, version) {
      const key = keyOf(scope, policyId, version)
      const content = pending.get(key) ?? makeAll(scope, policyId, version).finally(() => pending.delete(key))
      pending.set(key, content)
      return content
    },
    async makeOpened(scope, policyId, id) {
      const facts = await world.database.inScope(scope, tx => readFacts(tx, policyId))
      if (!facts || !documentsOf(world, facts.policy).some(({ row }) => row.id === id.toLowerCase())) return false
      await documents.make(scope, policyId)
      return true
    },
    async printable(scope, policyId, id) {
      const facts = await world.database.inScope(scope, tx => readFacts(tx, policyId))
      const found = facts && documentsOf(world, facts.policy).find(({ row }) => row.id === id)
      return found && documentOf(scope, found.kind, facts)
    },
    async makeInTime(scope, policyId) {
      const waitMs = world.config.DOCUMENTS_WAIT_MS
      if (waitMs === 0 || (renderer.waiting() >= longQueue && !pending.has(keyOf(scope, policyId)))) return false
      let timer: NodeJS.Timeout | undefined
      const timedOut = new Promise<false>(resolve => {
        timer = setTimeout(() => resolve(false), waitMs)
      })
      const content = documents.make(scope, policyId).then(
        () => true,
        // The job after the sale retries, and reports the failure.
        () => false,
      )
      return Promise.race([content, timedOut]).finally(() => clearTimeout(timer))
    },
    markFailed: (tx, policyId) => markFailed(tx, policyId),
  }
  return documents
}

const keyOf = (scope: Scope, policyId: string, version?: number | null): string => `${scope.businessUnitId} ${policyId} ${version}`

type PlannedDocument = { kind: Kind; label: string; row: NewFileRow & { id: string; name: string; media_type: string } }

/** Returns the documents of a policy by its status and version. Their ids derive from these, so that concurrent requests make one set. */
function documentsOf(world: World, policy: DocumentedPolicy): PlannedDocument[] {
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
      policy_version: policy.version,
      created_at: world.clock.now(),
    },
  }))
}

/** A saved quote's documents have no row yet: the link names the quote from which to make them. */
const replyOf = (policy: DocumentedPolicy, { label, row: { id, name } }: PlannedDocument, state: FileRow['state']): DocumentFile => ({
  uuid: id,
  name,
  label,
  file: policy.number === null ? `/api/files/${id}?policy=${policy.id}` : `/api/files/${id}`,
  state,
})

const attachmentOf = ({ row: { id, name, media_type } }: PlannedDocument, size: number): DocumentAttachment => ({
  filename: name,
  contentType: media_type,
  size,
  fileId: id,
})
