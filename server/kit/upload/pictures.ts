import { crc32 } from 'node:zlib'
import { type FileProblem, holdsOther, holdsScript } from './markers.ts'

/** The limit of a picture. Phone cameras take no more, and a browser needs four bytes for each pixel. */
export const mostMegapixels = 50
/** True above the limit, with some rows of tolerance. */
const isLarge = (width: number, height: number): boolean => width * height > (mostMegapixels + 1) * 1_000_000

/**
 * Inspects each segment up to the picture and its end. Phones append a second picture or a short film, which is cut off; a file of another kind is
 * refused.
 */
export function inspectJpg(bytes: Buffer): Buffer | FileProblem {
  let at = 2
  let framed = false
  for (;;) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return 'broken'
    const marker = bytes[at + 1] ?? 0
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return 'broken'
    const segment = bytes.subarray(at + 4, at + 2 + length)
    // APP and COM segments hold text; the others hold tables.
    if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) {
      if (holdsScript(segment)) return 'active'
    }
    if (isFrame(marker)) {
      if (segment.length < 6) return 'broken'
      if (isLarge(segment.readUInt16BE(1), segment.readUInt16BE(3))) return 'large'
      framed = true
    }
    at += 2 + length
    if (marker === 0xda) break
  }
  const end = framed ? endOfScans(bytes, at) : -1
  if (end < 0) return 'broken'
  return holdsOther(bytes.subarray(end)) ? 'active' : bytes.subarray(0, end)
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Returns the end of the scans, else -1. Within a scan FF is data only before 00 or a restart marker; a picture may have several scans. */
function endOfScans(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    at = bytes.indexOf(0xff, at)
    const marker = bytes[at + 1]
    if (at < 0 || marker === undefined) return -1
    if (marker === 0xd9) return at + 2
    if (marker === 0x00 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else if (marker === 0xff) at += 1
    else if (at + 4 <= bytes.length) at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
    else return -1
  }
}

/** Inspects each chunk and its checksum, from the header to the end. */
export function inspectPng(bytes: Buffer): Buffer | FileProblem {
  let at = 8
  let pictured = false
  for (let chunk = 0; ; chunk++) {
    if (at + 12 > bytes.length) return 'broken'
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return 'broken'
    const content = bytes.subarray(at + 8, end - 4)
    if ((chunk === 0) !== (name === 'IHDR')) return 'broken'
    if (name === 'IHDR') {
      if (length !== 13) return 'broken'
      if (isLarge(content.readUInt32BE(0), content.readUInt32BE(4))) return 'large'
    }
    if (/^(?:tEXt|zTXt|iTXt|eXIf|iCCP)$/.test(name) && holdsScript(content)) return 'active'
    pictured ||= name === 'IDAT'
    at = end
    if (name === 'IEND') break
  }
  if (!pictured) return 'broken'
  return holdsOther(bytes.subarray(at)) ? 'active' : bytes.subarray(0, at)
}

const pictureBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Inspects each box to the end of the file. The first one distinguishes a picture from a film. */
export function inspectHeic(bytes: Buffer): Buffer | FileProblem {
  const first = bytes.readUInt32BE(0)
  if (first < 16 || first > Math.min(bytes.length, 512) || !pictureBrands.has(bytes.toString('latin1', 8, 12))) return 'kind'
  let [at, described] = [0, false]
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return 'broken'
    const size = sizeOfBox(bytes, at)
    if (size < 8 || at + size > bytes.length) return 'broken'
    described ||= bytes.toString('latin1', at + 4, at + 8) === 'meta'
    at += size
  }
  return described ? bytes : 'broken'
}

/** Returns the size of a box in bytes. A size of 0 reaches to the end; after 1, eight more bytes hold the size. */
function sizeOfBox(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32BE(at)
  if (size === 0) return bytes.length - at
  if (size !== 1) return size
  return at + 16 > bytes.length ? 0 : Number(bytes.readBigUInt64BE(at + 8))
}
