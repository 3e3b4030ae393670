import type { DocumentKind } from '#common/documents/kinds.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type ProductFileKind, productFileKinds } from '#server/products/public.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Files } from '../files.ts'
import { insertSource } from '../again/queries.ts'
import { type Content, type FileRow, filesOfPolicy, insertFiles, markFailed, markReady, type NewFileRow } from '../queries.ts'
import { certificate, offer } from './certificate.ts'
import type { PaperFacts, ReadFacts } from './facts.ts'
import { type Paper, type Source, sourceOf } from './document.ts'
import type { Press } from './renderer.ts'
import { type ProductPapers, withLogo } from './product-documents.ts'
import { receipt } from './receipt.ts'

/** What of a policy says which papers it has. */
type Papered = { id: string; status: string; version: number; number: string | null; locale: Locale; seller_id: string }

export type PaperFile = { uuid: string; name: string; label: string; file: string; state: FileRow['state'] }
type PaperAttached = { filename: string; contentType: string; size: number; fileId: string }

export type Papers = {
  /** Notes, in the transaction of the sale, which papers there will be. */
  note(tx: UnitTx, policy: Papered): Promise<PaperFile[]>
  /** The papers of the policy as it is now, whether they are made or not. */
  list(tx: UnitTx, policy: Papered): Promise<PaperFile[]>
  /** Makes those that are not there yet, with no transaction open; a second time it finds them. */
  make(scope: Scope, policyId: string): Promise<PaperAttached[]>
  /** The same for whoever opens one of them, if it is a paper of the policy as it is now. */
  makeOpened(scope: Scope, policyId: string, id: string): Promise<boolean>
  /** Makes them at once and waits a moment for it, unless others are in line: true when they are there. */
  hurry(scope: Scope, policyId: string): Promise<boolean>
  /** A paper of the policy as it is now, whether it was made or not. */
  paper(scope: Scope, policyId: string, id: string): Promise<Paper | undefined>
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

type Ground = { files: Files; press: Press; productPapers: ProductPapers; readFacts: ReadFacts }

export function openPapers(world: World, { files, press, productPapers, readFacts }: Ground): Papers {
  const making = new Map<string, Promise<PaperAttached[]>>()

  async function makeAll(scope: Scope, policyId: string): Promise<PaperAttached[]> {
    const found = await world.database.inScope(scope, async tx => {
      const facts = await readFacts(tx, policyId)
      return facts && { facts, there: await filesOfPolicy(tx, policyId) }
    })
    if (!found) return []
    const { facts, there } = found
    const papers = wanted(world, facts.policy).map(paper => ({ paper, known: there.find(({ id }) => id === paper.row.id) }))
    const missing = papers.filter(({ known }) => known?.state !== 'ready')
    const made = await Promise.allSettled(missing.map(async ({ paper }) => ({ paper, made: await madeOf(scope, paper, facts) })))
    // Those that could be made are there, whatever became of the others.
    const ready = made.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    const rows = missing.flatMap(({ paper, known }) => (known ? [] : [paper.row]))
    if (ready.length > 0) await world.database.inScope(scope, tx => keepReady(tx, rows, ready))
    const failed = made.find(each => each.status === 'rejected')
    if (failed) throw failed.reason
    const sizes = new Map(ready.map(({ paper, made }) => [paper.row.id, made.content.size]))
    return papers.map(({ paper, known }) => attached(paper, sizes.get(paper.row.id) ?? known?.size ?? 0))
  }

  async function keepReady(tx: UnitTx, rows: Wanted['row'][], ready: { paper: Wanted; made: Made }[]): Promise<void> {
    await insertFiles(tx, rows)
    for (const { paper, made } of ready) {
      if (made.source) await insertSource(tx, made.content.content_id, made.source)
      await markReady(tx, paper.row.id, made.content)
    }
  }

  /** What the documents of a product are made of is kept with them. */
  async function madeOf(scope: Scope, { kind, row: { id } }: Wanted, told: PaperFacts): Promise<Made> {
    if (isOfProduct(kind))
      return { content: await productPapers.content(scope, { kind, texts: told.product, seller: told.seller, locale: told.policy.locale }) }
    const paper = await paperOf(scope, kind, told)
    return { content: await files.keep(scope, id, await press.print(paper), 'application/pdf'), source: sourceOf(paper) }
  }

  async function paperOf(scope: Scope, kind: Kind, told: PaperFacts): Promise<Paper> {
    const { seller, product, policy } = told
    if (isOfProduct(kind)) return productPapers.paper(scope, { kind, texts: product, seller, locale: policy.locale })
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

  const papers: Papers = {
    async note(tx, policy) {
      const papers = wanted(world, policy)
      await insertFiles(
        tx,
        papers.map(({ row }) => row),
      )
      return papers.map(paper => shown(policy, paper, 'pending'))
    },
    async list(tx, policy) {
      const there = new Map((await filesOfPolicy(tx, policy.id)).map(({ id, state }) => [id, state]))
      return wanted(world, policy).map(paper => shown(policy, paper, there.get(paper.row.id) ?? 'pending'))
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
      await papers.make(scope, policyId)
      return true
    },
    async paper(scope, policyId, id) {
      const facts = await world.database.inScope(scope, tx => readFacts(tx, policyId))
      const found = facts && wanted(world, facts.policy).find(({ row }) => row.id === id)
      return found && paperOf(scope, found.kind, facts)
    },
    async hurry(scope, policyId) {
      const waitMs = world.config.PAPERS_WAIT_MS
      if (waitMs === 0 || (press.waiting() >= shortLine && !making.has(keyOf(scope, policyId)))) return false
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<false>(resolve => {
        timer = setTimeout(() => resolve(false), waitMs)
      })
      const made = papers.make(scope, policyId).then(
        () => true,
        // The job after the sale tries again, and tells.
        () => false,
      )
      return Promise.race([made, late]).finally(() => clearTimeout(timer))
    },
    giveUp: (tx, policyId) => markFailed(tx, policyId),
  }
  return papers
}

const keyOf = (scope: Scope, policyId: string): string => `${scope.businessUnitId} ${policyId}`

type Wanted = { kind: Kind; label: string; row: NewFileRow & { id: string; name: string; media_type: string } }

/** The papers that a policy has, by its status and version; their ids follow from it, so that nobody makes a second set. */
function wanted(world: World, policy: Papered): Wanted[] {
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
const shown = (policy: Papered, { label, row: { id, name } }: Wanted, state: FileRow['state']): PaperFile => ({
  uuid: id,
  name,
  label,
  file: policy.number === null ? `/api/files/${id}?policy=${policy.id}` : `/api/files/${id}`,
  state,
})

const attached = ({ row: { id, name, media_type } }: Wanted, size: number): PaperAttached => ({
  filename: name,
  contentType: media_type,
  size,
  fileId: id,
})
