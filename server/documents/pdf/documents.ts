import type { StepDocumentKind } from '#common/documents/kinds.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { scopeOf } from '#server/session/public.ts'
import type { Files } from '../files.ts'
import { cancellation, withdrawal } from '../movements/ending.ts'
import { supplement } from '../movements/supplement.ts'
import { insertSources } from '../recreate/queries.ts'
import {
  type Content,
  type FileRow,
  filesAround,
  filesOfPolicy,
  insertFiles,
  markFailed,
  markReady,
  replaceCertificates,
} from '../queries.ts'
import { preview, type PreviewFacts } from '../movements/preview.ts'
import { type DocumentFile, everyDocument, type ListedDocument, replyOf } from '../versions/listed.ts'
import {
  type DocumentedPolicy,
  documentsOf,
  isOfProduct,
  type Kind,
  kindsIn,
  type NewFile,
  type PlannedDocument,
} from '../versions/planned.ts'
import { certificate, offer } from './certificate.ts'
import type { DocumentFacts, ReadFacts } from './facts.ts'
import type { PdfDocument, Source } from './document.ts'
import type { Renderer } from '../typesetting/renderer.ts'
import { contentOfRow, type ProductDocuments, productDocumentIds, withLogo } from './product-documents.ts'
import { creditNote, receipt } from './receipt.ts'

type DocumentAttachment = { filename: string; contentType: string; size: number; fileId: string }

export type PolicyDocuments = {
  /** Returns the files of a sale's documents, or of a later step's `papers`, and their rows for a statement that writes them with others. */
  planned(policy: DocumentedPolicy, kinds?: readonly StepDocumentKind[]): { files: DocumentFile[]; rows: NewFile[] }
  /** Marks certificates as replaced that a later step's `papers` make invalid, in the step's transaction. */
  replaceCertificates(tx: UnitTx, policy: DocumentedPolicy, kinds: readonly StepDocumentKind[]): Promise<void>
  /** Lists the valid documents, newest version first, made or not: of all versions, without replaced certificates. */
  list(tx: UnitTx, policy: DocumentedPolicy): Promise<ListedDocument[]>
  /** Lists the documents of all versions, also replaced certificates. */
  listAll(tx: UnitTx, policy: DocumentedPolicy): Promise<ListedDocument[]>
  /**
   * Makes and saves a version's missing documents, with no transaction open: by default of the current one, for null of the one that was sold.
   * Repeated calls find them made.
   */
  make(scope: Scope, policyId: string, version?: number | null): Promise<Pick<MadeDocuments, 'attachments' | 'rows'>>
  /** Does the same if `isWanted` accepts the policy as it is then, but leaves it to the caller to save the documents, together with what follows. */
  makeIf(scope: Scope, policyId: string, version: number | null, isWanted: IsWanted): Promise<MadeDocuments | undefined>
  /** Makes the documents of these files, or the current ones if none is named. Files of other policies are left out. */
  makeAll(scope: Scope, policyId: string, ids: readonly string[]): Promise<DocumentAttachment[]>
  /** Does the same as `make` if `id` is a document of the sale or saved quote; returns whether it is. */
  makeOpened(scope: Scope, policyId: string, id: string): Promise<boolean>
  /** Makes a version's documents and waits up to DOCUMENTS_WAIT_MS, unless the renderer is busy. Returns true once they are made. */
  makeInTime(scope: Scope, policyId: string, version?: number): Promise<boolean>
  /** Returns one document of a version, made or not. */
  printable(scope: Scope, policyId: string, id: string, version: number | null): Promise<PdfDocument | undefined>
  /** Makes the preview of a change that waits for the client. It is stored nowhere. */
  preview(scope: Scope, of: PreviewFacts): Promise<Buffer>
  /** Removes a file that the policy no longer has, with the transaction. */
  remove(tx: UnitTx, id: string): Promise<void>
  /** Marks the policy's pending documents as failed. */
  markFailed(tx: UnitTx, policyId: string): Promise<unknown>
}

/** The task that makes documents for a response. */
const soon = 'documents.soon'
/** With this many documents in the queue, a waiting response would only delay the next one. */
const longQueue = 4

export type MadeDocuments = {
  /** The facts that the documents show. */
  facts: DocumentFacts
  attachments: DocumentAttachment[]
  /** The files, as they are once they are saved. */
  rows: FileRow[]
  /** Saves what was made, unless others who waited for it have saved it. */
  save(tx: UnitTx): Promise<void>
}
/** `saveAlone` saves in a transaction of its own, once for all who wait for it; `savedAlone` waits for that if it was asked for. */
type Making = MadeDocuments & { saveAlone(): Promise<unknown>; savedAlone(): Promise<unknown> | undefined }
type IsWanted = (policy: DocumentFacts['policy']) => boolean

type NewContent = { content: Content; source?: Source }

type Deps = { files: Files; renderer: Renderer; productDocuments: ProductDocuments; readFacts: ReadFacts }

export function openDocuments(world: World, { files, renderer, productDocuments, readFacts }: Deps): PolicyDocuments {
  const pending = new Map<string, Promise<Making | undefined>>()

  /** Joins the run that is making these documents, or begins one. */
  function begin(scope: Scope, policyId: string, version: number | null | undefined, isWanted: IsWanted) {
    const key = keyOf(scope, policyId, version)
    const made = pending.get(key) ?? makeVersion(scope, policyId, version, isWanted).finally(() => pending.delete(key))
    pending.set(key, made)
    return made
  }

  async function makeVersion(
    scope: Scope,
    policyId: string,
    version: number | null | undefined,
    isWanted: IsWanted,
  ): Promise<Making | undefined> {
    const found = await world.database.inScope(scope, async tx => {
      const facts = await readFacts(tx, policyId, version)
      if (!facts || !isWanted(facts.policy)) return undefined
      return { facts, files: await filesAround(tx, policyId, productDocumentIds(scope, facts)) }
    })
    if (!found) return undefined
    const { facts, files } = found
    const existing = files.filter(({ policy_id }) => policy_id === policyId)
    const documents = documentsOf(world, facts.policy, kindsIn(existing, facts.policy.version)).map(document => ({
      document,
      known: existing.find(({ id }) => id === document.row.id),
    }))
    const missing = documents.filter(({ known }) => known?.state !== 'ready')
    const outcomes = await Promise.allSettled(
      missing.map(async ({ document }) => ({ document, made: await makeContent(scope, document, facts, files) })),
    )
    const ready = outcomes.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    const rows = missing.flatMap(({ document, known }) => (known ? [] : [document.row]))
    const saving = savingOf(scope, tx => (ready.length > 0 ? saveReady(tx, rows, ready) : Promise.resolve()))
    const failed = outcomes.find(each => each.status === 'rejected')
    // Documents that succeeded are saved even if others failed.
    if (failed && ready.length > 0) await saving.saveAlone()
    if (failed) throw failed.reason
    const contents = new Map(ready.map(({ document, made }) => [document.row.id, made.content]))
    return {
      facts,
      attachments: documents.map(({ document, known }) => attachmentOf(document, contents.get(document.row.id)?.size ?? known?.size ?? 0)),
      rows: documents.flatMap(({ document, known }) =>
        known ? [{ ...known, ...contents.get(document.row.id), state: 'ready' as const }] : [],
      ),
      ...saving,
    }
  }

  function savingOf(scope: Scope, save: (tx: UnitTx) => Promise<void>): Pick<Making, 'save' | 'saveAlone' | 'savedAlone'> {
    let alone: Promise<boolean> | undefined
    let isSaved = false
    return {
      save: async tx => (isSaved ? undefined : save(tx)),
      saveAlone: () => (alone ??= world.database.inScope(scope, save).then(() => (isSaved = true))),
      savedAlone: () => alone,
    }
  }

  async function saveReady(
    tx: UnitTx,
    rows: PlannedDocument['row'][],
    ready: { document: PlannedDocument; made: NewContent }[],
  ): Promise<void> {
    await insertFiles(tx, rows)
    const sources = ready.flatMap(({ made: { content, source } }) => (source ? [{ contentId: content.content_id, source }] : []))
    const contents = ready.map(({ document, made }) => ({ id: document.row.id, ...made.content }))
    await Promise.all([insertSources(world.secrets, tx, sources), markReady(tx, contents)])
  }

  /** Makes one document's content. Product documents keep their own source, and exist in most cases. */
  async function makeContent(
    scope: Scope,
    { kind, row: { id } }: PlannedDocument,
    facts: DocumentFacts,
    known: FileRow[],
  ): Promise<NewContent> {
    if (isOfProduct(kind)) {
      const existing = contentOfRow(known.find(file => file.kind === kind && file.product_id === facts.product.id))
      const request = { kind, texts: facts.product, seller: facts.seller, locale: facts.policy.locale }
      return { content: existing ?? (await productDocuments.content(scope, request)) }
    }
    const document = await documentOf(scope, kind, facts)
    const rendering = renderer.render(scope.businessUnitId, document)
    tellWhetherBusy()
    const printed = await rendering.finally(tellWhetherBusy)
    const content = await files.storeContent(scope, id, printed.content, { kind, mediaType: 'application/pdf' })
    return { content, source: printed.source }
  }

  const tellWhetherBusy = () => world.tasks.setBusy(soon, renderer.waiting() >= longQueue)

  /** Makes a version's documents unless it must wait for others. The job after the sale retries, and reports a failure. */
  async function makeSoon(scope: Scope, policyId: string, version: number | undefined): Promise<boolean> {
    if (renderer.waiting() >= longQueue && !pending.has(keyOf(scope, policyId, version))) return false
    return documents.make(scope, policyId, version).then(
      () => true,
      () => false,
    )
  }

  async function documentOf(scope: Scope, kind: Kind, facts: DocumentFacts): Promise<PdfDocument> {
    const { seller, product, policy } = facts
    if (isOfProduct(kind)) return productDocuments.printable(scope, { kind, texts: product, seller, locale: policy.locale })
    const factsWithLogo = { ...facts, seller: await withLogo(files, scope, seller) }
    return policyDocument(kind, factsWithLogo, world.words(policy.locale), `${world.publicUrl()}/verify`)
  }

  const documents: PolicyDocuments = {
    planned(policy, kinds) {
      const documents = documentsOf(world, policy, kinds)
      // The documents of an old sale may have no rows yet, and its certificate is replaced from now on.
      const ofSale = kinds && policy.sold_version !== null ? documentsOf(world, { ...policy, version: policy.sold_version }) : []
      return {
        files: documents.map(document => replyOf(policy, document, 'pending')),
        rows: [...ofSale, ...documents].map(({ row }) => row),
      }
    },
    async replaceCertificates(tx, policy, kinds) {
      if (policy.status === 'cancelled' || kinds.includes('certificate')) await replaceCertificates(tx, policy)
    },
    list: async (tx, policy) => (await documents.listAll(tx, policy)).filter(({ replaced }) => !replaced),
    listAll: async (tx, policy) => everyDocument(world, policy, await filesOfPolicy(tx, policy.id)),
    async make(scope, policyId, version) {
      const always = () => true
      // The run that was joined may have had a condition.
      const made = (await begin(scope, policyId, version, always)) ?? (await begin(scope, policyId, version, always))
      await made?.saveAlone()
      return made ?? { attachments: [], rows: [] }
    },
    async makeIf(scope, policyId, version, isWanted) {
      const made = await begin(scope, policyId, version, isWanted)
      await made?.savedAlone()
      return made && isWanted(made.facts.policy) ? made : undefined
    },
    async makeAll(scope, policyId, ids) {
      const named = ids.map(id => id.toLowerCase())
      const found = await world.database.inScope(scope, async tx => {
        const facts = await readFacts(tx, policyId)
        return facts && documents.listAll(tx, facts.policy)
      })
      const wanted = (found ?? []).filter(({ uuid, current }) => (named.length > 0 ? named.includes(uuid) : current))
      const versions = [...new Set(wanted.map(({ version }) => version))]
      const made = await Promise.all(versions.map(version => documents.make(scope, policyId, version)))
      const attachments = made.flatMap(each => each.attachments)
      return wanted.flatMap(({ uuid }) => attachments.find(({ fileId }) => fileId === uuid) ?? [])
    },
    async makeOpened(scope, policyId, id) {
      const facts = await world.database.inScope(scope, tx => readFacts(tx, policyId, null))
      if (!facts || !documentsOf(world, facts.policy).some(({ row }) => row.id === id.toLowerCase())) return false
      await documents.make(scope, policyId, null)
      return true
    },
    async printable(scope, policyId, id, version) {
      const found = await world.database.inScope(scope, async tx => {
        const facts = await readFacts(tx, policyId, version)
        return facts && { facts, kinds: kindsIn(await filesOfPolicy(tx, policyId), facts.policy.version) }
      })
      const document = found && documentsOf(world, found.facts.policy, found.kinds).find(({ row }) => row.id === id)
      return document && documentOf(scope, document.kind, found.facts)
    },
    async makeInTime(scope, policyId, version) {
      const waitMs = world.config.DOCUMENTS_WAIT_MS
      if (waitMs === 0) return false
      let timer: NodeJS.Timeout | undefined
      const timedOut = new Promise<false>(resolve => {
        timer = setTimeout(() => resolve(false), waitMs)
      })
      const made = world.tasks.ask(soon, scope.businessUnitId, policyId, version) ?? makeSoon(scope, policyId, version)
      return Promise.race([made.then(isMade => isMade === true), timedOut]).finally(() => clearTimeout(timer))
    },
    async preview(scope, { facts, until }) {
      const seller = await withLogo(files, scope, facts.seller)
      const document = preview({ facts: { ...facts, seller }, until }, world.words(facts.policy.locale))
      return (await renderer.render(scope.businessUnitId, document)).content
    },
    remove: (tx, id) => files.remove(tx, id),
    markFailed: (tx, policyId) => markFailed(tx, policyId),
  }
  world.tasks.offer(soon, (businessUnitId: string, policyId: string, version: number | undefined) =>
    world.businessClock.follow().then(() => makeSoon(scopeOf(businessUnitId), policyId, version)),
  )
  return documents
}

const keyOf = (scope: Scope, policyId: string, version?: number | null): string => `${scope.businessUnitId} ${policyId} ${version}`

const attachmentOf = ({ row: { id, name, media_type } }: PlannedDocument, size: number): DocumentAttachment => ({
  filename: name,
  contentType: media_type,
  size,
  fileId: id,
})

type OfPolicy = Exclude<Kind, 'information' | 'conditions'>

/** Returns a policy's own document. `verify` is the URL of the page that says whether it is valid. */
function policyDocument(kind: OfPolicy, facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  switch (kind) {
    case 'offer':
      return offer(facts, words)
    case 'certificate':
      return certificate(facts, words, verify)
    case 'receipt':
      return receipt(facts, words, verify)
    case 'credit_note':
      return creditNote(facts, words, verify)
    case 'supplement':
      return supplement(facts, words, verify)
    case 'cancellation':
      return cancellation(facts, words, verify)
    case 'withdrawal':
      return withdrawal(facts, words, verify)
  }
}
