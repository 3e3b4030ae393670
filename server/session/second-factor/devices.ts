import type { Config } from '#server/config.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Cookies } from '#server/kit/serve.ts'
import { deviceCookie, setDevice } from '#server/session/cookies.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { findDevice, keepDevice, moveDevice } from './queries.ts'

/** Everybody whose browser has proved nothing: they share one count of wrong codes, so that guessing from many networks gains nothing. */
const anybody = 'anybody'

/** The browser's own mark, as it is stored; undefined where it has none. */
export function deviceOf(config: Config, cookies: Cookies): Buffer | undefined {
  const token = cookies.get(deviceCookie(config))
  return token && /^[\w-]{43}$/.test(token) ? hashToken(token) : undefined
}

/** For whom a wrong code counts: a browser that has given a right one counts for itself, those that were let in by mail together. */
export async function sourceOf(tx: ServiceTx, userId: string, device: Buffer | undefined): Promise<string> {
  const known = device && (await findDevice(tx, userId, device))
  if (!known) return anybody
  return known.proven_by === 'mail' ? 'mail' : `device ${known.token_hash.toString('hex')}`
}

/** The same for whoever is signed in. */
export const sourceOfSession = (sessionId: string): string => `session ${sessionId}`

/**
 * This browser has proved whose it is: by a code, or by the link of a mail. Its mark is another one each time, so that nobody knows it
 * who has planted one; whoever else uses the browser stays known in it.
 */
export async function rememberDevice(
  { config, clock }: World,
  tx: ServiceTx,
  cookies: Cookies,
  userId: string,
  provenBy: 'code' | 'mail',
): Promise<void> {
  const token = mintToken()
  const before = deviceOf(config, cookies)
  if (before) await moveDevice(tx, before, hashToken(token))
  await keepDevice(tx, { token_hash: hashToken(token), user_id: userId, proven_by: provenBy, used_at: clock.now() })
  setDevice(config, cookies, token)
}
