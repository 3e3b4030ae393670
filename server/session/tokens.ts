import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, in letters that pass through addresses and headers unharmed. */
export const mintToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. It is random enough that a plain hash cannot be turned back. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * The token by which a request selects one of the user's business units. It follows from the session and the unit, so there is nothing to store;
 * it grants nothing, because the memberships are read anew at every call; and it dies with the session.
 */
export const unitToken = (accessToken: string, businessUnitId: string): string =>
  createHmac('sha256', accessToken).update(businessUnitId).digest('base64url')

export function sameToken(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
