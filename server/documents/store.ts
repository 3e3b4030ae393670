import type { Readable } from 'node:stream'

/**
 * Where bytes are kept, by names that the service makes itself: no name that somebody typed ever comes here. What is put under a name
 * twice is there once.
 */
export type FileStore = {
  put(name: string, content: Buffer, mediaType: string): Promise<void>
  /** Whether it is there, without reading it. */
  has(name: string): Promise<boolean>
  /** Rejects with `NoSuchContent` when there is none. */
  read(name: string): Promise<Readable>
  /** Not there is as good as gone. */
  remove(name: string): Promise<void>
  /** The id of the installation that the store belongs to, as the store itself says. */
  marker(): Promise<string | undefined>
  mark(id: string): Promise<void>
  /** As an operator knows it, without its secret. */
  readonly address: string
}

/** The one name that is no file's. */
export const markerName = 'portolan-store'

export class NoSuchContent extends Error {}
