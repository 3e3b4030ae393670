import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FileKind, isDocument } from '#common/documents/kinds.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type Content, deleteFile, type FileRow, findFile, insertFiles, isContentUsed, replaceContent } from './queries.ts'
import { isSealed, openContent, sealContent } from './sealed/content.ts'
import { type FileStore, NoSuchContent } from './store.ts'

/** A file to store. Its kind and owner decide who may see it (may-see.ts); its name is only displayed. */
export type NewFile = {
  /** A new id by default. A file that is stored again keeps its own. */
  id?: string
  kind: FileKind
  name: string
  mediaType: string
  content: Buffer
  userId?: string
  policyId?: string
  quoteId?: string
  productId?: string
}

type StoredFile = { id: string; name: string; mediaType: string; size: number; sha256: string }

/** The files of all units: a row describes each file, the store holds its bytes. No transaction is open during calls to the store. */
export type Files = {
  /** Stores the bytes, then inserts the row: every row has its bytes. */
  put(scope: Scope, newFile: NewFile): Promise<StoredFile>
  find(scope: Scope, id: string): Promise<FileRow | undefined>
  /**
   * Opens a file; undefined if it is unknown or another unit's. Recreates lost bytes where the service made them, else throws `file.lost`.
   */
  open(scope: Scope, id: string, known?: FileRow): Promise<{ row: FileRow; stream: Readable } | undefined>
  /** Reads a whole file for an email. Throws `file.lost` for a removed file, too. */
  readFile: ReadFile
  /** Removes a file with the transaction. A job deletes its bytes later, and retries until the store does so. */
  remove(tx: UnitTx, id: string): Promise<void>
  /** Deletes content that no file uses any more: the job of `remove`. */
  deleteContent(scope: Scope, contentId: string): Promise<void>
  /** Sets how lost bytes are recreated. The documents do so, and need the files first. */
  recreateWith(recreator: Recreate): void
  /** Sets how a replaced certificate is marked when it is opened. */
  markWith(marker: Mark): void
  /** Stores only the bytes, encrypted if the kind is, for callers that write the row themselves. */
  storeContent(scope: Scope, id: string, content: Buffer, of: { kind: FileKind; mediaType: string }): Promise<Content>
}

/** Reads a file, whose row may be known already. */
export type ReadFile = (scope: Scope, id: string, known?: FileRow) => Promise<Buffer>

/** Returns the bytes of a file that the service made; undefined for uploads. */
export type Recreate = (scope: Scope, row: FileRow) => Promise<Buffer | undefined>

/** Returns the bytes of an outdated certificate, with a mark across it. */
type Mark = (scope: Scope, row: FileRow) => Promise<Buffer | undefined>

export const isLost = (error: unknown): boolean => error instanceof Refusal && error.code === 'file.lost'

/** Event: a file was removed, and no other file uses its bytes. */
export const fileRemoved = 'file.removed'

export function openFiles({ database, ids, clock, log, outbox, metrics, secrets }: World, store: FileStore): Files {
  let recreate: Recreate = () => Promise.resolve(undefined)
  let mark: Mark = () => Promise.resolve(undefined)
  const pending = new Map<string, Promise<Buffer>>()
  const fresh = openFreshContents()

  /** Recreates lost content and stores it under its old name, where later readers find it. */
  async function recreated(scope: Scope, row: FileRow, contentId: string): Promise<Buffer> {
    const content = await recreate(scope, row)
    metrics.filesMissing.inc({ outcome: content ? 'made again' : 'lost' })
    if (!content) {
      log.warn({ file: row.id, unit: scope.businessUnitId, kind: row.kind }, 'a file’s content is lost')
      throw new Refusal('file.lost')
    }
    const stored = await files.storeContent(scope, contentId, content, { kind: row.kind, mediaType: row.media_type })
    if (stored.sha256 !== row.sha256)
      // A newer version of the program, or a source rebuilt later, gives other bytes of the same document.
      log.warn({ file: row.id, unit: scope.businessUnitId, kind: row.kind }, 'a file was made again, and differs')
    if (stored.sha256 !== row.sha256 || stored.sealed_by !== row.sealed_by) await database.inScope(scope, tx => replaceContent(tx, stored))
    return content
  }

  const files: Files = {
    async put(scope, newFile) {
      const id = newFile.id ?? ids.next()
      const { kind, name, mediaType } = newFile
      const content = await files.storeContent(scope, id, newFile.content, { kind, mediaType })
      const row = {
        id,
        kind,
        name,
        media_type: mediaType,
        state: 'ready' as const,
        created_at: clock.now(),
        ...content,
        user_id: newFile.userId ?? null,
        policy_id: newFile.policyId ?? null,
        quote_id: newFile.quoteId ?? null,
        product_id: newFile.productId ?? null,
      }
      await database
        .inScope(scope, tx => insertFiles(tx, [row]))
        .catch(async (error: unknown) => {
          await store.remove(nameOf(scope, id)).catch((err: unknown) => log.warn({ err, file: id }, 'bytes without a row stay behind'))
          throw error
        })
      return { id, name, mediaType, size: content.size, sha256: content.sha256 }
    },
    find: (scope, id) => database.inScope(scope, tx => findFile(tx, id)),
    async open(scope, id, known) {
      const row = known ?? (await files.find(scope, id))
      if (!row?.content_id) return undefined
      if (row.replaced_by !== null) {
        const content = await mark(scope, row)
        // Without its mark an outdated certificate would mislead its reader.
        if (!content) throw new Refusal('file.lost')
        return opened(row, content)
      }
      const name = nameOf(scope, row.content_id)
      const stored = await store.read(name).catch(unlessMissing)
      if (stored) {
        const stream = isSealed(row.kind) ? (await openContent(secrets, name, stored)).stream : stored
        // Where two processes made a document at once, an earlier version kept the size of one and the bytes of the other.
        return isDocument(row.kind) ? opened(row, await buffer(stream)) : { row, stream }
      }
      const recreating = pending.get(name) ?? recreated(scope, row, row.content_id).finally(() => pending.delete(name))
      pending.set(name, recreating)
      const content = await recreating
      return opened(row, content)
    },
    async readFile(scope, id, known) {
      const row = known ?? (await files.find(scope, id))
      if (!row?.content_id) throw new Refusal('file.lost')
      const name = nameOf(scope, row.content_id)
      const kept = row.replaced_by === null ? fresh.get(name) : undefined
      if (kept) return kept
      const file = await files.open(scope, id, row)
      if (!file) throw new Refusal('file.lost')
      const content = await buffer(file.stream)
      if (row.replaced_by === null && isDocument(row.kind)) fresh.keep(name, content)
      return content
    },
    async remove(tx, id) {
      const contentId = await deleteFile(tx, id)
      if (contentId) await outbox.publish(tx, fileRemoved, { contentId })
    },
    async deleteContent(scope, contentId) {
      const isUsed = await database.inScope(scope, tx => isContentUsed(tx, contentId))
      if (isUsed) return
      fresh.drop(nameOf(scope, contentId))
      await store.remove(nameOf(scope, contentId))
    },
    recreateWith(recreator) {
      recreate = recreator
    },
    markWith(marker) {
      mark = marker
    },
    async storeContent(scope, id, content, { kind, mediaType }) {
      const name = nameOf(scope, id)
      if (isSealed(kind)) await store.put(name, await sealContent(secrets, name, content), 'application/octet-stream')
      else await store.put(name, content, mediaType)
      if (isDocument(kind)) fresh.keep(name, content)
      return contentOf(id, content, isSealed(kind) ? secrets.sealedBy : null)
    },
  }
  return files
}

/** Size and hash are those of the content before any encryption. */
const contentOf = (id: string, content: Buffer, sealedBy: string | null): Content => ({
  content_id: id,
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  sealed_by: sealedBy,
})

/** Returns a file whose bytes were made just now. */
const opened = (row: FileRow, content: Buffer) => ({
  row: { ...row, size: content.length },
  stream: Readable.from([content], { objectMode: false }),
})

const nameOf = (scope: Scope, id: string): string => `${scope.businessUnitId}/${id}`

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof NoSuchContent)) throw error
}

/** Contents that were stored or read just now, so that an email need not read them again. The oldest make room for new ones. */
export type FreshContents = {
  get(name: string): Buffer | undefined
  keep(name: string, content: Buffer): void
  drop(name: string): void
}

/** As many as the documents of a hundred sales. */
const mostBytes = 16 * 1024 * 1024

/** An email leaves soon after its documents are made. Only the node that deletes an erased person's content drops it, so the others forget it. */
export const freshForMs = 60_000

export function openFreshContents(most = mostBytes): FreshContents {
  const kept = new Map<string, { content: Buffer; end: NodeJS.Timeout }>()
  let bytes = 0
  const contents: FreshContents = {
    get: name => kept.get(name)?.content,
    keep(name, content) {
      contents.drop(name)
      if (content.length > most) return
      kept.set(name, { content, end: setTimeout(() => contents.drop(name), freshForMs).unref() })
      bytes += content.length
      for (const [oldest] of kept) {
        if (bytes <= most) return
        contents.drop(oldest)
      }
    },
    drop(name) {
      const dropped = kept.get(name)
      if (!dropped) return
      clearTimeout(dropped.end)
      bytes -= dropped.content.length
      kept.delete(name)
    },
  }
  return contents
}
