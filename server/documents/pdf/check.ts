import { createHash, timingSafeEqual } from 'node:crypto'

/** Crockford's alphabet: characters that are easy to read out and type, without I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `edition` counts the versions of a sold policy; the sale's is 1. */
type Checked = { id: string; number: string; edition: number }

/**
 * Returns the check code that a document has beside its number. It is a hash of the policy's id, which has 74 random bits and is on no document. So the
 * number alone does not lead to the code, and nothing has to be stored. Each edition has its own code, by which an outdated certificate is recognised.
 * The first keeps the code from before there were editions.
 */
export function checkCode({ id, number, edition }: Checked): string {
  const checked = edition === 1 ? `${id} ${number}` : `${id} ${number} ${edition}`
  const bytes = createHash('sha256').update(`portolan check ${checked}`).digest()
  const letters = [...bytes.subarray(0, 10)].map(byte => alphabet[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** Compares a typed code in constant time. Accepts any case, blanks and dashes, and O, I and L for the digits they resemble. */
export function isCheckCode(policy: Checked, typed: string): boolean {
  const normalised = typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  const [expected, actual] = [Buffer.from(checkCode(policy).replace('-', '')), Buffer.from(normalised)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
