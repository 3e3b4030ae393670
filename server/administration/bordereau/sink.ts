import type { World } from '#server/kit/app-context.ts'
import { type Attempt, insertParts } from './queries.ts'

/** Stores the compressed bytes of files as they come, in parts, so that their length does not fill the memory. */
export type Sink = { store(name: string, packed: Buffer): Promise<void>; end(): Promise<void> }

/** Small, since a backup reads hundreds of rows at once. */
const partBytes = 32 * 1024
/** How many bytes are stored in one transaction. */
const usual = 16 * partBytes

export function openSink(world: World, attempt: Attempt): Sink {
  const files = new Map<string, { position: number; pieces: Buffer[]; length: number }>()

  async function flush(name: string, isLast: boolean): Promise<void> {
    const { position, pieces } = fileOf(name)
    const bytes = Buffer.concat(pieces)
    const cut = isLast ? bytes.length : bytes.length - (bytes.length % partBytes)
    const parts = Array.from({ length: Math.ceil(cut / partBytes) }, (_, index) =>
      bytes.subarray(index * partBytes, (index + 1) * partBytes),
    )
    files.set(name, { position: position + parts.length, pieces: [bytes.subarray(cut)], length: bytes.length - cut })
    if (parts.length > 0) await world.database.asService(tx => insertParts(tx, attempt, name, position, parts))
  }

  const fileOf = (name: string) => files.get(name) ?? { position: 0, pieces: [], length: 0 }

  return {
    async store(name, packed) {
      const { position, pieces, length } = fileOf(name)
      files.set(name, { position, pieces: [...pieces, packed], length: length + packed.length })
      if (length + packed.length >= usual) await flush(name, false)
    },
    async end() {
      for (const name of files.keys()) await flush(name, true)
    },
  }
}
