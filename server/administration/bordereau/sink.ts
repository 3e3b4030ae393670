import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { World } from '#server/kit/app-context.ts'
import { insertFile, insertParts } from './queries.ts'

/** A file of a bordereau that is written piece by piece. Its compressed bytes are stored as they come, so its length does not fill the memory. */
export type Sink = { write(content: string | Buffer): Promise<void>; end(): Promise<{ name: string; size: number; sha256: string }> }

const pack = promisify(gzip)

/** A copy of the database reads hundreds of rows at once, so a part is small. */
const partBytes = 32 * 1024

export function openSink(world: World, bordereauId: string, name: string): Sink {
  const hash = createHash('sha256')
  let size = 0
  let position = 0
  let rest = Buffer.alloc(0)
  let storing: Promise<void> = Promise.resolve()

  async function store(packed: Promise<Buffer>, isLast: boolean): Promise<void> {
    rest = Buffer.concat([rest, await packed])
    const parts: Buffer[] = []
    while (rest.length >= partBytes || (isLast && rest.length > 0)) {
      parts.push(rest.subarray(0, partBytes))
      rest = rest.subarray(partBytes)
    }
    if (parts.length === 0) return
    await world.database.asService(tx => insertParts(tx, bordereauId, name, position, parts))
    position += parts.length
  }

  return {
    /** Compresses and stores a piece while the next one is made. Pieces that are compressed each on their own follow each other (RFC 1952, 2.2). */
    async write(content) {
      const bytes = Buffer.from(content)
      hash.update(bytes)
      size += bytes.length
      const packed = pack(bytes, { level: 1 })
      await storing
      storing = store(packed, false)
      // It is awaited by the next piece.
      storing.catch(() => {})
    },
    async end() {
      await storing
      await store(Promise.resolve(Buffer.alloc(0)), true)
      const file = { name, size, sha256: hash.digest('hex') }
      await world.database.asService(tx => insertFile(tx, bordereauId, file))
      return file
    },
  }
}
