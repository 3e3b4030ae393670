import { deflateSync } from 'node:zlib'
import { chunk, pngFrom } from '#server/kit/upload/testing.ts'

/** Returns a grey square as PNG, with a test's additional chunks. */
export function pngOf({
  width = 4,
  height = 4,
  more = [],
  after = '',
  idat,
}: {
  width?: number
  height?: number
  more?: [string, string][]
  after?: string
  idat?: Buffer
} = {}): Buffer {
  const pixels =
    idat ?? deflateSync(Buffer.concat(Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), Buffer.alloc(width, 0x80)]))))
  const others = more.map(([type, text]) => chunk(type, text))
  return Buffer.concat([pngFrom(width, height, [...others, chunk('IDAT', pixels)]), Buffer.from(after)])
}

/** Two WebP files of one pixel: lossless and lossy. */
export const webps = {
  lossless: Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  lossy: Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
}

export const dataUrl = (content: Buffer | string, mediaType = 'image/png'): string =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`
