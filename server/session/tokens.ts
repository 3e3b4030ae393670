import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns 256 random bits in characters that are safe in URLs and headers. */
export const mintToken = (): string => randomBytes(32).toString('base64url')

/** Returns the hash that is stored of a token. Tokens are so random that a plain hash cannot be reversed. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/**
 * Returns the token by which a request selects one of the user's business units.
 * It is derived from session and unit, so nothing is stored, and it ends with the session. It grants nothing, as memberships are read on
 * every call.
 */
export const unitToken = (accessToken: string, businessUnitId: string): string =>
  createHmac('sha256', accessToken).update(businessUnitId).digest('base64url')

export function sameToken(sent: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
