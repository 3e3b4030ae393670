import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A piece of a file, compressed by itself. `crc`: the checksum of the file up to its end. `size`: its bytes before compression. */
export type Packed = { bytes: Buffer; crc: number; size: number }

/** A buffer that was made for each piece would keep the garbage collector busy. */
let filling: Buffer = Buffer.alloc(0)

/**
 * Compresses a piece of a file, given the checksum of all before it, fast rather than small. Pieces can be compressed in any thread: a file is their
 * sequence, closed by `endOfPacked`. Texts are encoded one by one, so that no long one is held in memory.
 */
export function packed(texts: Iterable<string>, crc: number): Packed {
  let size = 0
  for (const text of texts) {
    if (filling.length - size < text.length * 3) filling = enlarged(filling, size, size * 2 + text.length * 3)
    size += filling.write(text, size)
  }
  return packedBytes(filling.subarray(0, size), crc)
}

/** Compresses the bytes of a piece. */
export function packedBytes(piece: Buffer, crc: number): Packed {
  const bytes = deflateRawSync(piece, { level: 1, chunkSize: 256 * 1024, finishFlush: constants.Z_SYNC_FLUSH })
  return { bytes, crc: crc32(piece, crc), size: piece.length }
}

function enlarged(buffer: Buffer, used: number, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size)
  buffer.copy(larger, 0, 0, used)
  return larger
}

/** The empty last block. */
export const endOfPacked: Buffer = Buffer.from([3, 0])
