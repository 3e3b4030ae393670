import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** By which a row is known to a repeated request, even on another node: by the present key, and as a former key made it. */
export type RequestKeys = [present: string, ...former: string[]]

/**
 * Returns the keys of a request: an idempotency key is valid for the same request of the same user alone. They are hashed by a key, because everything else
 * of a request may be known, so that its document numbers could be tried out.
 */
export function requestKeys(secrets: Secrets, { userId }: CallerInUnit, key: string, ask: object): RequestKeys {
  const [present, ...former] = secrets.hashes('requests', JSON.stringify([userId, key, ask]))
  return [present.toString('hex'), ...former.map(hash => hash.toString('hex'))]
}
