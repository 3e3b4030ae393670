import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A file that is written, and the hash of its bytes before they were compressed. */
export type Packed = { name: string; size: number; sha256: string }

export type Packing = { write(content: string | Buffer): Promise<void>; end(): Promise<Packed> }

const pack = promisify(gzip)

/** With room for all that comes out, a piece is compressed in one go. */
const roomFor = (length: number): number => Math.max(4096, length >> 1)

/**
 * Compresses the pieces of a file, each on its own, as such pieces follow each other (RFC 1952, 2.2). The next piece is made while one is compressed. A
 * file that is compressed already has level 0.
 */
export function openPacking(name: string, send: (piece: { name: string; content: Buffer }) => void, level = 1): Packing {
  const hash = createHash('sha256')
  let size = 0
  let waiting: Promise<Buffer> | undefined

  async function flush(): Promise<void> {
    const content = await waiting
    waiting = undefined
    if (content) send({ name, content })
  }

  return {
    async write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      hash.update(bytes)
      size += bytes.length
      await flush()
      waiting = pack(bytes, { level, chunkSize: roomFor(bytes.length) })
      // It is awaited by the next piece.
      waiting.catch(() => {})
    },
    async end() {
      await flush()
      return { name, size, sha256: hash.digest('hex') }
    },
  }
}
