import { Refusal } from '#common/kit/refusals.ts'
import type { Config } from '#server/config.ts'

/** How one signs in here: with a password of ours, at a host that hands over a signed token, or by OpenID Connect. */
export type SignInKind = 'password' | 'host' | 'oidc'

export const signInKind = (config: Config): SignInKind => (config.AUTH_HOST_URL ? 'host' : config.OIDC_ISSUER ? 'oidc' : 'password')

/** Where somebody else signs in, there is no second door beside it: no password is asked for, forgotten or chosen here. */
export function onlyWithPasswords(config: Config): void {
  if (signInKind(config) !== 'password') throw new Refusal('request.not_found')
}
