import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** One file within the archive: its text, piece by piece. */
export type Entry = { name: string; content: AsyncIterable<string> | Iterable<string> }

type Written = { name: Buffer; at: number; crc: number; packed: number; size: number }

/**
 * An archive that is written while it is sent: sizes and checksums follow each file. While a piece is packed, on another thread, the next one
 * is made.
 */
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

const pack = promisify(deflateRaw) as (bytes: Buffer, options: object) => Promise<Buffer>

/** Quick rather than small; each piece ends at a whole byte, so that they can stand one after the other. */
const quickly = { level: 1, finishFlush: constants.Z_SYNC_FLUSH }

/** What a packed file ends with: a last block with nothing in it. */
const lastBlock = Buffer.from([3, 0])

async function* packedPieces(content: Entry['content'], entry: Written): AsyncGenerator<Buffer> {
  let waiting: Promise<Buffer> | undefined
  // One is filled while the other is being packed, however many pieces there are.
  let [filling, packed] = [Buffer.alloc(0), Buffer.alloc(0)]
  for await (const text of content) {
    if (filling.length < text.length * 3) filling = Buffer.allocUnsafeSlow(text.length * 3)
    const piece = filling.subarray(0, filling.write(text))
    ;[filling, packed] = [packed, filling]
    entry.crc = crc32(piece, entry.crc)
    entry.size += piece.length
    const packing = pack(piece, quickly)
    if (waiting) yield await waiting
    waiting = packing
  }
  if (waiting) yield await waiting
  yield lastBlock
}

const [local, listing, descriptor, end] = [0x04034b50, 0x02014b50, 0x08074b50, 0x06054b50]
/** Sums follow the bytes; the name is UTF-8. */
const flags = 0x0808
const deflated = 8
const version = 20
/** The first day that a zip can tell: what is in there is as old as the archive itself. */
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
  for (const [place, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, place * 4)
  return bytes
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [place, value] of values.entries()) bytes.writeUInt16LE(value, place * 2)
  return bytes
}
