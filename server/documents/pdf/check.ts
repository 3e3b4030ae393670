import { createHash, timingSafeEqual } from 'node:crypto'

/** Ten characters that can be read out and typed: no I, L, O or U (Crockford's alphabet). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * What a certificate bears beside its number. It is worked out of the policy's id, of which 74 bits are random and which no paper shows: nobody
 * finds it from the number, and nothing has to be kept for it.
 */
export function checkCode({ id, number }: { id: string; number: string }): string {
  const bytes = createHash('sha256').update(`portolan check ${id} ${number}`).digest()
  const letters = [...bytes.subarray(0, 10)].map(byte => alphabet[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** As somebody typed it off the paper: in any case, with any blanks and dashes, and O, I and L for what they look like. */
export function isCheckCode(policy: { id: string; number: string }, typed: string): boolean {
  const given = typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  const [expected, said] = [Buffer.from(checkCode(policy).replace('-', '')), Buffer.from(given)]
  return expected.length === said.length && timingSafeEqual(expected, said)
}
