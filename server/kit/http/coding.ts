import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The content coding of a response; `body` means uncompressed. */
export type Coding = 'br' | 'gzip' | 'body'

export function chooseCoding(accepted: string | string[] | undefined): Coding {
  const offered = String(accepted ?? '').toLowerCase()
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(offered)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(offered) ? 'gzip' : 'body'
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export const pack = (body: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> =>
  coding === 'br' ? promisify(brotliCompress)(body, quick) : promisify(gzip)(body)
