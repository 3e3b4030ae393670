import type { Config } from '#server/config.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Cookies } from '#server/kit/serve.ts'
import { deviceCookie, setDevice } from '#server/session/cookies.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { findDevice, keepDevice, moveDevice } from './queries.ts'

/** The source of all browsers that are not known. They share one count of wrong codes, so many networks gain nothing. */
const unknownSource = 'anybody'

/** Returns the hash of the browser's device token, as stored, or undefined if it has none. */
export function deviceOf(config: Config, cookies: Cookies): Buffer | undefined {
  const token = cookies.get(deviceCookie(config))
  return token && /^[\w-]{43}$/.test(token) ? hashToken(token) : undefined
}

/** Returns the source that a wrong code counts for. Browsers known by a code count alone, those known by mail together. */
export async function sourceOf(tx: ServiceTx, userId: string, device: Buffer | undefined): Promise<string> {
  const known = device && (await findDevice(tx, userId, device))
  if (!known) return unknownSource
  return known.proven_by === 'mail' ? 'mail' : `device ${known.token_hash.toString('hex')}`
}

/** Returns the source of wrong codes by a signed-in user. */
export const sourceOfSession = (sessionId: string): string => `session ${sessionId}`

/**
 * Makes this browser known to the user, proven by a code or by a mailed link.
 * The token changes each time, so a planted one is useless. Other users of the browser stay known in it.
 */
export async function rememberDevice(
  { config, realTime }: World,
  tx: ServiceTx,
  cookies: Cookies,
  userId: string,
  provenBy: 'code' | 'mail',
): Promise<void> {
  const token = mintToken()
  const before = deviceOf(config, cookies)
  if (before) await moveDevice(tx, before, hashToken(token))
  await keepDevice(tx, { token_hash: hashToken(token), user_id: userId, proven_by: provenBy, used_at: realTime.now() })
  setDevice(config, cookies, token)
}
