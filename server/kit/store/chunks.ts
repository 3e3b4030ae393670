import { createCipheriv, createDecipheriv } from 'node:crypto'

// Content of any length in encrypted chunks (AES-256-GCM). The nonce of a chunk is its number and whether it is the last, so that no chunk can be
// moved, left out or added, and the end cannot be cut off. Each key must therefore encrypt one content only.

/** The content was changed after its encryption, or another key encrypted it. */
export class DamagedSeal extends Error {}

const chunkBytes = 65_536
const tagBytes = 16

export async function* sealChunks(key: Buffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { chunk, nonce } of chunksOf(content, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** Yields each chunk once it is authenticated. Throws `DamagedSeal`. */
export async function* openChunks(key: Buffer, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { chunk, nonce } of chunksOf(sealed, chunkBytes + tagBytes)) {
    const end = chunk.length - tagBytes
    if (end < 0) throw new DamagedSeal('its end is missing')
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAuthTag(chunk.subarray(end))
    const opened = decipher.update(chunk.subarray(0, end))
    try {
      decipher.final()
    } catch (cause) {
      throw new DamagedSeal('it was changed or cut off', { cause })
    }
    yield opened
  }
}

type Chunk = { chunk: Buffer; nonce: Buffer }

/** Cuts content into chunks of a size. A full chunk is the last only if no byte follows it. */
async function* chunksOf(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  let waiting: Uint8Array[] = []
  let [length, number] = [0, 0]
  const next = (chunk: Buffer, isLast: boolean): Chunk => {
    const nonce = Buffer.alloc(12)
    nonce.writeUIntBE(number, 5, 6)
    nonce[11] = isLast ? 1 : 0
    number += 1
    return { chunk, nonce }
  }
  for await (const part of content) {
    waiting.push(part)
    length += part.length
    if (length <= size) continue
    const all = Buffer.concat(waiting)
    let from = 0
    for (; all.length - from > size; from += size) yield next(all.subarray(from, from + size), false)
    waiting = [all.subarray(from)]
    length = all.length - from
  }
  yield next(Buffer.concat(waiting), true)
}
