import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileKind } from '#common/documents/kinds.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type Content, deleteFile, type FileRow, findFile, insertFiles, isContentUsed, replaceContent } from './queries.ts'
import { type FileStore, NoSuchContent } from './store.ts'

/** A file that somebody brings. Its kind and whom it belongs to say who may see it (may-see.ts); its name is only ever shown. */
export type Brought = {
  kind: FileKind
  name: string
  mediaType: string
  content: Buffer
  userId?: string
  policyId?: string
  quoteId?: string
  productId?: string
}

type KeptFile = { id: string; name: string; mediaType: string; size: number; sha256: string }

/** The files of all units: a row says what there is, the store holds the bytes. No transaction is open while the store is spoken to. */
export type Files = {
  /** Bytes first, then the row: what has a row has its bytes. */
  put(scope: Scope, brought: Brought): Promise<KeptFile>
  find(scope: Scope, id: string): Promise<FileRow | undefined>
  /**
   * A file that is there; undefined for one that is not, or of another unit. Bytes that the store has lost are made again where they are ours;
   * else `file.lost`.
   */
  open(scope: Scope, id: string): Promise<{ row: FileRow; stream: Readable } | undefined>
  /** All of it, for a mail: `serveMail(front, files.readFile)`. A file that is gone is lost, too. */
  readFile: (scope: Scope, id: string) => Promise<Buffer>
  /** Gone with the transaction that says so; its bytes follow by a job, as soon as the store lets them go. */
  remove(tx: UnitTx, id: string): Promise<void>
  /** That job: bytes whose last file is gone. */
  forget(scope: Scope, contentId: string): Promise<void>
  /** By whom lost bytes are made again: the papers' own room, which needs the files first. */
  makeAgainBy(maker: MakeAgain): void
  /** Only the bytes, for whoever writes the row himself. */
  keep(scope: Scope, id: string, content: Buffer, mediaType: string): Promise<Content>
}

/** The very bytes of a file of ours; undefined for what people brought. */
export type MakeAgain = (scope: Scope, row: FileRow) => Promise<Buffer | undefined>

export const isLost = (error: unknown): boolean => error instanceof Refusal && error.code === 'file.lost'

/** A file is gone, and its bytes serve no other. */
export const fileRemoved = 'file.removed'

export function openFiles({ database, ids, clock, log, outbox, metrics }: World, store: FileStore): Files {
  let makeAgain: MakeAgain = () => Promise.resolve(undefined)
  const making = new Map<string, Promise<Buffer>>()

  /** Kept under its old name: the next reader finds it there. */
  async function madeAgain(scope: Scope, row: FileRow, contentId: string): Promise<Buffer> {
    const content = await makeAgain(scope, row)
    metrics.filesMissing.inc({ outcome: content ? 'made again' : 'lost' })
    if (!content) {
      log.warn({ file: row.id, unit: scope.businessUnitId, kind: row.kind }, 'a file’s content is lost')
      throw new Refusal('file.lost')
    }
    const kept = await files.keep(scope, contentId, content, row.media_type)
    if (kept.sha256 !== row.sha256) {
      // By a newer version of the program, or of what was not kept at its time: the same paper, in other bytes.
      log.warn({ file: row.id, unit: scope.businessUnitId, kind: row.kind }, 'a file was made again, and differs')
      await database.inScope(scope, tx => replaceContent(tx, kept))
    }
    return content
  }

  const files: Files = {
    async put(scope, brought) {
      const id = ids.next()
      const content = await files.keep(scope, id, brought.content, brought.mediaType)
      const { kind, name, mediaType } = brought
      const row = {
        id,
        kind,
        name,
        media_type: mediaType,
        state: 'ready' as const,
        created_at: clock.now(),
        ...content,
        user_id: brought.userId ?? null,
        policy_id: brought.policyId ?? null,
        quote_id: brought.quoteId ?? null,
        product_id: brought.productId ?? null,
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
    async open(scope, id) {
      const row = await files.find(scope, id)
      if (!row?.content_id) return undefined
      const name = nameOf(scope, row.content_id)
      const stream = await store.read(name).catch(unlessMissing)
      if (stream) return { row, stream }
      const again = making.get(name) ?? madeAgain(scope, row, row.content_id).finally(() => making.delete(name))
      making.set(name, again)
      const content = await again
      return { row: { ...row, size: content.length }, stream: Readable.from([content], { objectMode: false }) }
    },
    async readFile(scope, id) {
      const file = await files.open(scope, id)
      if (!file) throw new Refusal('file.lost')
      return buffer(file.stream)
    },
    async remove(tx, id) {
      const contentId = await deleteFile(tx, id)
      if (contentId) await outbox.publish(tx, fileRemoved, { contentId })
    },
    async forget(scope, contentId) {
      const isUsed = await database.inScope(scope, tx => isContentUsed(tx, contentId))
      if (!isUsed) await store.remove(nameOf(scope, contentId))
    },
    makeAgainBy(maker) {
      makeAgain = maker
    },
    async keep(scope, id, content, mediaType) {
      await store.put(nameOf(scope, id), content, mediaType)
      return { content_id: id, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    },
  }
  return files
}

const nameOf = (scope: Scope, id: string): string => `${scope.businessUnitId}/${id}`

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof NoSuchContent)) throw error
}
