import type { Readable } from 'node:stream'

/**
 * Where bytes are kept, by names that the service makes itself: no name that somebody typed ever comes here. What is put under a name
 * twice is there once.
 */
export type FileStore = {
  put(name: string, content: Buffer, mediaType: string): Promise<void>
  /** Rejects with `NoSuchContent` when there is none. */
  read(name: string): Promise<Readable>
  /** Not there is as good as gone. */
  remove(name: string): Promise<void>
}

export class NoSuchContent extends Error {}
