import { longestSide } from './png.ts'

type Part = { name: string; data: Buffer }

/** Cleans a WebP (RFC 9649): one still picture, without its profiles and metadata. */
export function cleanWebp(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 20 || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const parts = partsOf(bytes)
  if (!parts || parts.some(({ name }) => name === 'ANIM' || name === 'ANMF')) return undefined
  const picture = parts.find(({ name }) => name === 'VP8 ' || name === 'VP8L')
  const size = picture && sizeOf(picture)
  if (!size || !isSmall(size)) return undefined
  const alpha = picture.name === 'VP8 ' ? parts.find(({ name }) => name === 'ALPH') : undefined
  return written(alpha ? [headOf(size), alpha, picture] : [picture])
}

function partsOf(bytes: Buffer): Part[] | undefined {
  const parts: Part[] = []
  const end = Math.min(bytes.length, bytes.readUInt32LE(4) + 8)
  for (let at = 12; at + 8 <= end; ) {
    const length = bytes.readUInt32LE(at + 4)
    if (at + 8 + length > end) return undefined
    parts.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return parts
}

type Size = { width: number; height: number }

function sizeOf({ name, data }: Part): Size | undefined {
  if (name === 'VP8L') {
    if (data.length < 5 || data[0] !== 0x2f) return undefined
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

const isSmall = ({ width, height }: Size): boolean => width >= 1 && height >= 1 && width <= longestSide && height <= longestSide

/** Returns the header of a picture with transparency and nothing else. */
function headOf({ width, height }: Size): Part {
  const data = Buffer.alloc(10)
  data[0] = 0x10
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { name: 'VP8X', data }
}

function written(parts: Part[]): Buffer {
  const body = parts.flatMap(({ name, data }) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return data.length % 2 === 1 ? [head, data, Buffer.alloc(1)] : [head, data]
  })
  const head = Buffer.alloc(12)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(4 + body.reduce((sum, { length }) => sum + length, 0), 4)
  head.write('WEBP', 8, 'latin1')
  return Buffer.concat([head, ...body])
}
