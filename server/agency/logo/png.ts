import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'

/** The longest side of a logo in pixels. It shows small, and a browser must decompress all of it. */
export const longestSide = 2048

const unpack = promisify(inflate)
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The chunks that draw. Texts, profiles, times and chunks of other programs are dropped. */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND'])
/** The samples per pixel, by colour type. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Cleans a PNG (ISO 15948). Checksums must match, and pixels must not exceed the header's size. Trailing bytes are cut off. */
export async function cleanPng(bytes: Buffer): Promise<Buffer | undefined> {
  if (!bytes.subarray(0, 8).equals(signature)) return undefined
  const chunks = chunksOf(bytes)
  const head = chunks?.[0]
  if (!chunks || head?.type !== 'IHDR' || head.data.length !== 13 || chunks.filter(({ type }) => type === 'IHDR').length !== 1)
    return undefined
  const most = mostPixelBytes(head.data)
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  if (most === undefined || packed.length === 0) return undefined
  const pixels = await unpack(packed, { maxOutputLength: most }).catch(() => undefined)
  if (!pixels || pixels.length === 0) return undefined
  return Buffer.concat([signature, ...chunks.filter(({ type }) => kept.has(type)).map(({ whole }) => whole)])
}

type Chunk = { type: string; data: Buffer; whole: Buffer }

function chunksOf(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return undefined
}

/** Returns the most bytes that the decompressed picture can have. Each row of each of the seven passes has a filter byte. */
function mostPixelBytes(head: Buffer): number | undefined {
  const [width, height, depth, colours] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8] ?? 0, channels[head[9] ?? -1]]
  if (width < 1 || height < 1 || width > longestSide || height > longestSide || colours === undefined) return undefined
  if (![1, 2, 4, 8, 16].includes(depth)) return undefined
  return (Math.ceil((width * depth * colours) / 8) + 8) * height + 16 * longestSide
}
