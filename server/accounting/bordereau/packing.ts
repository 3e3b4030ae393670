import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import { written } from '#server/kit/workbook/zip.ts'

/** A written file, with the hash of its uncompressed bytes. */
export type Packed = { name: string; size: number; sha256: string }

export type Packing = { write(content: string | Buffer): Promise<void>; end(): Promise<Packed> }

/** How many compressed bytes are sent at a time. A new buffer for each piece would keep the garbage collector busy. */
const chunkSize = 128 * 1024

/** Compresses a file while it is written: the next piece is made while one is compressed. Level 0 is for compressed files. */
export function openPacking(name: string, send: (piece: { name: string; content: Buffer }) => void, level = 1): Packing {
  const hash = createHash('sha256')
  const gzip = createGzip({ level, chunkSize }).on('data', (content: Buffer) => send({ name, content }))
  // Two buffers for any number of pieces: one is filled while the other is packed.
  let [filling, packed] = [Buffer.alloc(0), Buffer.alloc(0)]
  let packing: Promise<unknown> = Promise.resolve()
  let size = 0
  // The write of the failed piece rejects as well, which is enough.
  gzip.on('error', () => {})
  return {
    async write(content) {
      let bytes = content
      if (typeof bytes === 'string') {
        if (filling.length < bytes.length * 3) filling = Buffer.allocUnsafeSlow(bytes.length * 3)
        bytes = filling.subarray(0, filling.write(bytes))
        ;[filling, packed] = [packed, filling]
      }
      hash.update(bytes)
      size += bytes.length
      await packing
      packing = written(gzip, bytes)
      // Nothing awaits this piece if no other one follows.
      packing.catch(() => {})
    },
    async end() {
      await packing
      gzip.end()
      await once(gzip, 'end')
      return { name, size, sha256: hash.digest('hex') }
    },
  }
}
