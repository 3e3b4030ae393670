/** A file of an archive. */
type Entry = { name: string; content: Uint8Array<ArrayBuffer> }

/**
 * Makes a zip archive of files without compression, as documents are already compressed. Files of the same name are numbered. The archive may have up
 * to 4 GB and 65 535 files.
 */
export function zipOf(entries: readonly Entry[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  const names = new Set<string>()
  let offset = 0
  for (const { name, content } of entries) {
    const encoded = new TextEncoder().encode(unusedName(name, names))
    const fields = [0x0800, 0, 0, dayOfFormat, crc32(content), content.length, content.length, encoded.length, 0]
    const head = record(0x04034b50, [2, ...sizes], [20, ...fields], encoded)
    directory.push(record(0x02014b50, [2, 2, ...sizes, 2, 2, 2, 4, 4], [20, 20, ...fields, 0, 0, 0, 0, offset], encoded))
    parts.push(head, content)
    offset += head.length + content.length
  }
  const directorySize = directory.reduce((sum, { length }) => sum + length, 0)
  const many = entries.length
  const end = record(0x06054b50, [2, 2, 2, 2, 4, 4, 2], [0, 0, many, many, directorySize, offset, 0])
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

/** The sizes in bytes of flags, method, time, day, checksum, two sizes, and the lengths of two fields. */
const sizes = [2, 2, 2, 2, 4, 4, 4, 2, 2]
/** The first day that the format supports, 1 January 1980. */
const dayOfFormat = 0x21

function record(
  signature: number,
  widths: readonly number[],
  values: readonly number[],
  name: Uint8Array = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const length = 4 + widths.reduce((sum, width) => sum + width, 0)
  const bytes = new Uint8Array(length + name.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, signature, true)
  let at = 4
  for (const [index, width] of widths.entries()) {
    const value = values[index] ?? 0
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  bytes.set(name, at)
  return bytes
}

/** Returns the name, with a number before its ending if the name is already used. */
function unusedName(name: string, used: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let unused = name
  for (let number = 2; used.has(unused); number++) unused = `${stem} (${number})${ending}`
  used.add(unused)
  return unused
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum of zip archives. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0)
  return (sum ^ 0xffffffff) >>> 0
}
