/** The limits of a list in a file (docs/decisions/0017). Nothing beyond them is read. */
export const mostBytes = 5_000_000
/** The maximum unpacked size in bytes. Thousands of rows take a few megabytes: a much larger file is an attack on memory. */
export const mostUnpacked = 40_000_000
const mostEntries = 500

/** The reasons for which a list cannot be read. */
export type SheetProblem = 'empty' | 'too_big' | 'unpacked' | 'too_many' | 'other_kind' | 'locked' | 'broken' | 'slow'

export type Kind = 'workbook' | 'text'

/** Detects the kind of a file by its content, whatever its name. */
export function kindOf(bytes: Uint8Array): Kind | SheetProblem {
  if (bytes.length === 0) return 'empty'
  if (bytes.length > mostBytes) return 'too_big'
  if (beginsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return zipProblem(bytes) ?? 'workbook'
  // A file of Excel before 2007, or a workbook with a password.
  if (beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'locked'
  return isText(bytes) ? 'text' : 'other_kind'
}

const beginsWith = (bytes: Uint8Array, mark: number[]): boolean => mark.every((byte, index) => bytes[index] === byte)

/**
 * True for text: no control characters except tabs and line ends, and not a PDF. Excel's "Unicode text" has such characters after its byte order
 * mark.
 */
function isText(bytes: Uint8Array): boolean {
  if (isWide(bytes)) return true
  if (beginsWith(bytes, [0x25, 0x50, 0x44, 0x46])) return false
  return bytes.every(byte => byte >= 32 || byte === 9 || byte === 10 || byte === 13)
}

/** True for UTF-16 little-endian with a byte order mark, as Excel writes it. */
export const isWide = (bytes: Uint8Array): boolean => beginsWith(bytes, [0xff, 0xfe])

/**
 * Checks the archive's directory before unpacking: the number of files and their sizes. The reader later stops at these sizes, so a false one gains
 * nothing. Anything that no spreadsheet writes (ZIP64, a comment, an open size) is refused.
 */
function zipProblem(bytes: Uint8Array): SheetProblem | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - 22
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50 || view.getUint16(end + 20, true) !== 0) return 'broken'
  const count = view.getUint16(end + 10, true)
  if (count > mostEntries) return 'unpacked'
  let at = view.getUint32(end + 16, true)
  let unpacked = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) return 'broken'
    const method = view.getUint16(at + 10, true)
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const isOpen = packed === 0xffffffff || (size === 0 && packed > 2) || (size > 0 && packed === 0)
    if ((view.getUint16(at + 8, true) & 1) !== 0) return 'locked'
    if (isOpen || (method !== 0 && method !== 8)) return 'broken'
    unpacked += size
    if (unpacked > mostUnpacked) return 'unpacked'
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return undefined
}
