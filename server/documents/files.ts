import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { FileKind } from '#common/documents/kinds.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import { PermanentFailure } from '#server/kit/outbox.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type Content, deleteFile, type FileRow, findFile, insertFiles, isContentUsed } from './rows.ts'
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

export type KeptFile = { id: string; name: string; mediaType: string; size: number; sha256: string }

/** The files of all units: a row says what there is, the store holds the bytes. No transaction is open while the store is spoken to. */
export type Files = {
  /** Bytes first, then the row: what has a row has its bytes. */
  put(scope: Scope, brought: Brought): Promise<KeptFile>
  find(scope: Scope, id: string): Promise<FileRow | undefined>
  /** A file that is there; undefined for one that is not, or of another unit. */
  open(scope: Scope, id: string): Promise<{ row: FileRow; stream: Readable } | undefined>
  /** All of it, for a mail: `serveMail(front, files.readFile)`. */
  readFile: (scope: Scope, id: string) => Promise<Buffer>
  /** Gone with the transaction that says so; its bytes follow by a job, as soon as the store lets them go. */
  remove(scope: Scope, tx: Tx, id: string): Promise<void>
  /** That job: bytes whose last file is gone. */
  forget(scope: Scope, contentId: string): Promise<void>
  /** Only the bytes, for whoever writes the row himself. */
  keep(scope: Scope, id: string, content: Buffer, mediaType: string): Promise<Content>
}

/** A file is gone, and its bytes serve no other. */
export const fileRemoved = 'file.removed'

export function openFiles({ database, ids, clock, log, outbox }: World, store: FileStore): Files {
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
        .inScope(scope, tx => insertFiles(scope, tx, [row]))
        .catch(async (error: unknown) => {
          await store.remove(nameOf(scope, id)).catch((err: unknown) => log.warn({ err, file: id }, 'bytes without a row stay behind'))
          throw error
        })
      return { id, name, mediaType, size: content.size, sha256: content.sha256 }
    },
    find: (scope, id) => database.inScope(scope, tx => findFile(scope, tx, id)),
    async open(scope, id) {
      const row = await files.find(scope, id)
      return row?.content_id ? { row, stream: await store.read(nameOf(scope, row.content_id)) } : undefined
    },
    async readFile(scope, id) {
      const file = await files.open(scope, id).catch(cannotComeBack)
      if (!file) throw new PermanentFailure('there is no such file')
      return buffer(file.stream)
    },
    async remove(scope, tx, id) {
      const contentId = await deleteFile(scope, tx, id)
      if (contentId) await outbox.publish(tx, scope, fileRemoved, { contentId })
    },
    async forget(scope, contentId) {
      const isUsed = await database.inScope(scope, tx => isContentUsed(scope, tx, contentId))
      if (!isUsed) await store.remove(nameOf(scope, contentId))
    },
    async keep(scope, id, content, mediaType) {
      await store.put(nameOf(scope, id), content, mediaType)
      return { content_id: id, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    },
  }
  return files
}

const nameOf = (scope: Scope, id: string): string => `${scope.businessUnitId}/${id}`

function cannotComeBack(error: unknown): never {
  throw error instanceof NoSuchContent ? new PermanentFailure('the file’s content is gone') : error
}
