import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** A file within the archive, with its text in pieces. */
export type Entry = { name: string; content: AsyncIterable<string> | Iterable<string> }

type Written = { name: Buffer; at: number; crc: number; packed: number; size: number }

/** Writes an archive while it is sent, with sizes and checksums after each file. The next piece is made while another thread packs the last. */
export async function* zipped(entries: Entry[]): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let at = 0
  for (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), at, crc: 0, packed: 0, size: 0 }
    const head = headOf(entry, [local, 0, 0, 0])
    yield head
    for await (const piece of packedPieces(content, entry)) {
      entry.packed += piece.length
      yield piece
    }
    const sums = words(descriptor, entry.crc, entry.packed, entry.size)
    yield sums
    at += head.length + entry.packed + sums.length
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(listed))
  yield directory
  yield Buffer.concat([words(end, 0), shorts(written.length, written.length), words(directory.length, at), shorts(0)])
}

const pack = promisify(deflateRaw)

/** Compresses fast rather than small. Each piece ends at a whole byte, so that pieces can follow each other. */
const quickly = { level: 1, finishFlush: constants.Z_SYNC_FLUSH }

/** The end of a packed file, an empty last block. */
const lastBlock = Buffer.from([3, 0])

async function* packedPieces(content: Entry['content'], entry: Written): AsyncGenerator<Buffer> {
  let waiting: Promise<Buffer> | undefined
  // Two buffers for any number of pieces: one is filled while the other is packed.
  let [filling, packed] = [Buffer.alloc(0), Buffer.alloc(0)]
  for await (const text of content) {
    if (filling.length < text.length * 3) filling = Buffer.allocUnsafeSlow(text.length * 3)
    const piece = filling.subarray(0, filling.write(text))
    ;[filling, packed] = [packed, filling]
    entry.crc = crc32(piece, entry.crc)
    entry.size += piece.length
    const packing = pack(piece, { ...quickly, chunkSize: Math.max(4096, piece.length >> 2) })
    if (waiting) yield await waiting
    waiting = packing
  }
  if (waiting) yield await waiting
  yield lastBlock
}

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
