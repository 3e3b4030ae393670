import { Refusal } from '#common/kit/refusals.ts'
import type { Config } from '#server/config.ts'

/** The way to sign in: a password, a host that hands over a signed token, or OpenID Connect. */
export type SignInKind = 'password' | 'host' | 'oidc'

export const signInKind = (config: Config): SignInKind => (config.AUTH_HOST_URL ? 'host' : config.OIDC_ISSUER ? 'oidc' : 'password')

/** Throws if users sign in at an external host. No password then works, is reset or is chosen here. */
export function onlyWithPasswords(config: Config): void {
  if (signInKind(config) !== 'password') throw new Refusal('request.not_found')
}
