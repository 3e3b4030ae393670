import { createHash } from 'node:crypto'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** The keys by which a repeated request finds its row, on any node: made with the present secret key, and with former ones. */
export type RequestKeys = [present: string, ...former: string[]]

/**
 * Returns the keys of a request: an idempotency key is valid for the same request of the same user alone. They are hashed with a secret key. Otherwise
 * the request's document numbers could be guessed, as the rest of it may be known.
 */
export function requestKeys(secrets: Secrets, { userId }: CallerInUnit, key: string, ask: object): RequestKeys {
  const request = JSON.stringify([userId, key, ask])
  const [present, ...former] = secrets.hashes('requests', request)
  return [present.toString('hex'), ...[...former, withoutKey(request)].map(hash => hash.toString('hex'))]
}

/**
 * Returns the hash of a request as versions before the encryption of numbers made it. It is only compared, never stored, to find a sale whose reply was
 * lost during the update.
 */
export const withoutKey = (request: string): Buffer => createHash('sha256').update(request).digest()
