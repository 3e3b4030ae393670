import { createHash } from 'node:crypto'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** By which a row is known to a repeated request, even on another node: by the present key, and as a former key made it. */
export type RequestKeys = [present: string, ...former: string[]]

/**
 * Returns the keys of a request: an idempotency key is valid for the same request of the same user alone. They are hashed by a key, because everything else
 * of a request may be known, so that its document numbers could be tried out.
 */
export function requestKeys(secrets: Secrets, { userId }: CallerInUnit, key: string, ask: object): RequestKeys {
  const request = JSON.stringify([userId, key, ask])
  const [present, ...former] = secrets.hashes('requests', request)
  return [present.toString('hex'), ...[...former, withoutKey(request)].map(hash => hash.toString('hex'))]
}

/**
 * Returns the hash of a request as versions before the sealing of numbers made it. It is only compared, and never stored: a sale whose reply was lost
 * in the update is found by it.
 */
export const withoutKey = (request: string): Buffer => createHash('sha256').update(request).digest()
