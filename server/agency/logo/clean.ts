import { logoBytes } from '#common/agency/profile.ts'
import { cleanPng } from './png.ts'
import { cleanSvg } from './svg.ts'
import { cleanWebp } from './webp.ts'

export type Picture = { mediaType: 'image/png' | 'image/webp' | 'image/svg+xml'; content: Buffer }

/**
 * Rewrites a logo from the parts that draw, so that it is safe on every page of its unit.
 * The content decides its type, not its label. Returns undefined for anything else than PNG, WebP or SVG, and `numbers` for an SVG of sizes that cannot be drawn.
 */
export async function cleanLogo(bytes: Buffer): Promise<Picture | 'numbers' | undefined> {
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return picture('image/png', await cleanPng(bytes))
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF') return picture('image/webp', cleanWebp(bytes))
  const drawing = cleanSvg(bytes)
  return drawing === 'numbers' ? drawing : picture('image/svg+xml', drawing)
}

const picture = (mediaType: Picture['mediaType'], content: Buffer | undefined): Picture | undefined => content && { mediaType, content }

/** Returns the bytes in a `data:` URL. Its media type is ignored. */
export function bytesOf(dataUrl: string): Buffer | undefined {
  const base64 = /^data:[\w.+/-]{0,100};base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)?.[1]
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

/** Returns the cleaned picture in a `data:` URL, or why there is none: `large` if it is over the limit. */
export async function logoIn(dataUrl: string): Promise<Picture | 'large' | 'numbers' | undefined> {
  const bytes = bytesOf(dataUrl)
  if (bytes && bytes.length > logoBytes) return 'large'
  return bytes && cleanLogo(bytes)
}
