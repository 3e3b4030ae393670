import type { Readable } from 'node:stream'

/** Stores bytes under names that the service makes itself, never under typed names. A repeated put replaces the content. */
export type FileStore = {
  put(name: string, content: Buffer, mediaType: string): Promise<void>
  /** Checks existence without reading. */
  has(name: string): Promise<boolean>
  /** Rejects with `NoSuchContent` if the name is unknown. */
  read(name: string): Promise<Readable>
  /** Removes a name. An unknown name is no error. */
  remove(name: string): Promise<void>
  /** Returns the id of the installation that the store is marked with. */
  marker(): Promise<string | undefined>
  mark(id: string): Promise<void>
  /** The store's address without its secret, for messages to the operator. */
  readonly address: string
}

/** The name of the marker, the only name that is not a file. */
export const markerName = 'portolan-store'

export class NoSuchContent extends Error {}
