import { crc32, deflateSync } from 'node:zlib'

/** A grey square as PNG, with whatever other chunks a test puts in. */
export function pngOf({
  width = 4,
  height = 4,
  more = [] as [string, string][],
  after = '',
  idat = undefined as Buffer | undefined,
} = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const pixels =
    idat ?? deflateSync(Buffer.concat(Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), Buffer.alloc(width, 0x80)]))))
  const chunks: [string, Buffer][] = [
    ['IHDR', head],
    ...more.map(([type, text]): [string, Buffer] => [type, Buffer.from(text)]),
    ['IDAT', pixels],
    ['IEND', Buffer.alloc(0)],
  ]
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, ...chunks.map(([type, data]) => chunkOf(type, data)), Buffer.from(after)])
}

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(data.length + 12)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), whole.length - 4)
  return whole
}

/** One pixel each: lossless, and lossy. */
export const webps = {
  lossless: Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  lossy: Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
}

export const dataUrl = (content: Buffer | string, mediaType = 'image/png'): string =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`
