import { crc32 } from 'node:zlib'
import { type FileProblem, holdsOther, holdsScript } from './markers.ts'

/** What the cameras of phones take, give or take a few rows; a browser needs four bytes for each point, and more would fill its memory. */
export const mostMegapixels = 50
const isLarge = (width: number, height: number): boolean => width * height > (mostMegapixels + 1) * 1_000_000

/**
 * Segment by segment to the picture itself, then to its end. Phones put a second picture or a short film behind it; that part is left out,
 * unless it is a file of another kind altogether.
 */
export function judgeJpg(bytes: Buffer): Buffer | FileProblem {
  let at = 2
  let framed = false
  for (;;) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return 'broken'
    const marker = bytes[at + 1] ?? 0
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return 'broken'
    const segment = bytes.subarray(at + 4, at + 2 + length)
    // APP and COM hold words; the others tables.
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

/** Within scans an FF stands for itself only before 00 or a restart mark; a progressive picture has several scans. */
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

/** Chunk by chunk, each with its sum, from the header to the end. */
export function judgePng(bytes: Buffer): Buffer | FileProblem {
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

/** Box by box to the very end; its first tells that it is a picture, not a film. */
export function judgeHeic(bytes: Buffer): Buffer | FileProblem {
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

/** 0 reaches to the end; 1 is followed by the size in eight bytes. */
function sizeOfBox(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32BE(at)
  if (size === 0) return bytes.length - at
  if (size !== 1) return size
  return at + 16 > bytes.length ? 0 : Number(bytes.readBigUInt64BE(at + 8))
}
