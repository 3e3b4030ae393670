import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

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
const endOfPacked: Buffer = Buffer.from([3, 0])

/** A file within the archive, with its text or its bytes in pieces, or with its compressed pieces. */
export type Entry = { name: string } & ({ content: Pieces } | { packed: AsyncIterable<Packed> })
type Pieces = AsyncIterable<string | Buffer> | Iterable<string | Buffer>

type Written = { name: Buffer; at: number; crc: number; packed: number; size: number }

/** Writes an archive while it is sent, with sizes and checksums after each file. The next piece is made while another thread packs the last. */
export async function* zipped(entries: Iterable<Entry>): AsyncGenerator<Buffer> {
  const files: Written[] = []
  let at = 0
  for (const file of entries) {
    const entry = { name: Buffer.from(file.name), at, crc: 0, packed: 0, size: 0 }
    const head = headOf(entry, [local, 0, 0, 0])
    yield head
    for await (const piece of 'packed' in file ? piecesOf(file.packed, entry) : packedPieces(file.content, entry)) {
      entry.packed += piece.length
      yield piece
    }
    const sums = words(descriptor, entry.crc, entry.packed, entry.size)
    yield sums
    at += head.length + entry.packed + sums.length
    files.push(entry)
  }
  const directory = Buffer.concat(files.map(listed))
  yield directory
  yield Buffer.concat([words(end, 0), shorts(files.length, files.length), words(directory.length, at), shorts(0)])
}

async function* piecesOf(all: AsyncIterable<Packed>, entry: Written): AsyncGenerator<Buffer> {
  for await (const { bytes, crc, size } of all) {
    entry.crc = crc
    entry.size += size
    yield bytes
  }
  yield endOfPacked
}

/** How many compressed bytes are sent at a time. Buffers that are made for each piece would keep the garbage collector busy. */
const chunkSize = 64 * 1024

/** Compresses fast rather than small. */
async function* packedPieces(content: Pieces, entry: Written): AsyncGenerator<Buffer> {
  const ready: Buffer[] = []
  const packer = createDeflateRaw({ level: 1, chunkSize }).on('data', (piece: Buffer) => ready.push(piece))
  // Two buffers for any number of pieces: one is filled while the other is packed.
  let [filling, packed] = [Buffer.alloc(0), Buffer.alloc(0)]
  let packing: Promise<unknown> = Promise.resolve()
  // The write of the failed piece rejects as well, which is enough.
  packer.on('error', () => {})
  const encoded = (text: string): Buffer => {
    if (filling.length < text.length * 3) filling = Buffer.allocUnsafeSlow(text.length * 3)
    const piece = filling.subarray(0, filling.write(text))
    ;[filling, packed] = [packed, filling]
    return piece
  }
  try {
    for await (const each of content) {
      const piece = typeof each === 'string' ? encoded(each) : each
      entry.crc = crc32(piece, entry.crc)
      entry.size += piece.length
      await packing
      yield* ready.splice(0)
      packing = written(packer, piece)
      // If the reader leaves now, nothing awaits this piece.
      packing.catch(() => {})
    }
    await packing
    packer.end()
    await once(packer, 'end')
    yield* ready
  } finally {
    packer.destroy()
  }
}

/** Resolves once a stream has taken all of a piece, whose bytes may then change. */
export const written = (stream: Writable, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => stream.write(piece, error => (error ? reject(error) : resolve())))

const [local, listing, descriptor, end] = [0x04034b50, 0x02014b50, 0x08074b50, 0x06054b50]
/** The flags say that checksums follow the bytes, and that the name is UTF-8. */
const flags = 0x0808
const deflated = 8
const version = 20
/** The first day of the format, because the files have no date of their own. */
const [noon, firstDay] = [0, 0x21]

const headOf = ({ name }: Written, [sign, ...sums]: [number, number, number, number]): Buffer =>
  Buffer.concat([words(sign), shorts(version, flags, deflated, noon, firstDay), words(...sums), shorts(name.length, 0), name])

const listed = ({ name, at, crc, packed, size }: Written): Buffer =>
  Buffer.concat([
    words(listing),
    shorts(version, version, flags, deflated, noon, firstDay),
    words(crc, packed, size),
    shorts(name.length, 0, 0, 0, 0),
    words(0, at),
    name,
  ])

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4)
  return bytes
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}
