import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

/** A file within an archive: its start, and its packed and unpacked size. */
export type ZipEntry = { name: string; method: number; packed: number; size: number; at: number }

const inflate = promisify(inflateRaw)
const mostEntries = 2000
const mostUnpacked = 80_000_000
/** The limit on compression. No text compresses better; data that does is made to fill the memory. */
const mostRatio = 250

/**
 * Returns the table of a plain archive that fills the whole file, else undefined. Its entries follow each other without gap, overlap or duplicate name.
 * None is encrypted, a link, outside its folder or too large when unpacked.
 */
export function readZip(bytes: Buffer): ZipEntry[] | undefined {
  const end = bytes.length - 22
  // The end record must be the very end, because a comment after it could hold another file.
  if (end < 0 || bytes.readUInt32LE(end) !== 0x06054b50 || bytes.readUInt16LE(end + 20) !== 0) return undefined
  const count = bytes.readUInt16LE(end + 10)
  const tableAt = bytes.readUInt32LE(end + 16)
  if (count > mostEntries || count !== bytes.readUInt16LE(end + 8) || tableAt + bytes.readUInt32LE(end + 12) !== end) return undefined
  const entries: ZipEntry[] = []
  let at = tableAt
  for (let index = 0; index < count; index++) {
    const read = readEntry(bytes, at, end)
    if (!read) return undefined
    entries.push(read.entry)
    at = read.next
  }
  return at === end && fillTheFile(bytes, entries, tableAt) && areModest(entries) ? entries : undefined
}

function readEntry(bytes: Buffer, at: number, end: number): { entry: ZipEntry; next: number } | undefined {
  if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) return undefined
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  const nameLength = bytes.readUInt16LE(at + 28)
  const next = at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  const unixMode = bytes.readUInt32LE(at + 38) >>> 16
  const isLink = (unixMode & 0o170000) === 0o120000
  const isEncrypted = (flags & 0x2041) !== 0
  if (next > end || isEncrypted || isLink || (method !== 0 && method !== 8)) return undefined
  const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
  const entry = { name, method, packed: bytes.readUInt32LE(at + 20), size: bytes.readUInt32LE(at + 24), at: bytes.readUInt32LE(at + 42) }
  return staysInside(name) ? { entry, next } : undefined
}

const staysInside = (name: string): boolean =>
  name.length > 0 &&
  name.length <= 255 &&
  !/^[/\\]|^[a-z]:|\\|\p{Cc}/iu.test(name) &&
  !name.split('/').some(step => step === '..' || step === '.')

/** True if the entries, in order, cover everything before the table. Each must repeat its own name there. */
function fillTheFile(bytes: Buffer, entries: ZipEntry[], tableAt: number): boolean {
  let at = 0
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    if (entry.at !== at || at + 30 > tableAt || bytes.readUInt32LE(at) !== 0x04034b50) return false
    const nameLength = bytes.readUInt16LE(at + 26)
    const described = (bytes.readUInt16LE(at + 6) & 8) !== 0
    if (bytes.toString('utf8', at + 30, at + 30 + nameLength) !== entry.name) return false
    at = dataOf(bytes, entry) + entry.packed
    if (described) at += at + 16 <= tableAt && bytes.readUInt32LE(at) === 0x08074b50 ? 16 : 12
  }
  return at === tableAt
}

const dataOf = (bytes: Buffer, { at }: ZipEntry): number => at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)

function areModest(entries: ZipEntry[]): boolean {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  const whole = entries.reduce((sum, { size }) => sum + size, 0)
  return (
    names.size === entries.length &&
    whole <= mostUnpacked &&
    entries.every(({ size, packed, method }) => (method === 0 ? size === packed : size <= 100_000 || size <= packed * mostRatio))
  )
}

/** Returns an entry's content, or undefined if its size differs from the table's. */
export async function unzip(bytes: Buffer, entry: ZipEntry): Promise<Buffer | undefined> {
  const from = dataOf(bytes, entry)
  const packed = bytes.subarray(from, from + entry.packed)
  if (entry.method === 0) return packed
  const content = await inflate(packed, { maxOutputLength: Math.max(1, entry.size) }).catch(() => undefined)
  return content?.length === entry.size ? content : undefined
}
