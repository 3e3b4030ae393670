import type * as client from 'openid-client'
import type { World } from '#server/kit/app-context.ts'
import { kept, later, wantSoon } from '#server/kit/work/later.ts'
import { nonceOf, redirectOf, stateOf, verifierOf } from './flow.ts'

export type Oidc = {
  /** Returns the address to which the browser goes to sign in. */
  authorization(flow: string, redirect: string): Promise<URL>
  /** Returns the user's email from the return address. Throws if anything about it is wrong. */
  identify(flow: string, returned: URL): Promise<{ email: string; redirect: string }>
}

const library = later(() => import('openid-client'))

/** Opens sign-in at an OpenID Connect issuer. Its metadata is fetched at the first sign-in, and again after a failure. */
export function openOidc(world: World): Oidc {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = world.config
  const issuer = new URL(OIDC_ISSUER)
  // Plain http is allowed only for an issuer on this machine, as in tests.
  const isOnThisMachine = issuer.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(issuer.hostname)
  const configuration = kept(async (): Promise<client.Configuration> => {
    const { allowInsecureRequests, discovery } = await library()
    const execute = isOnThisMachine ? [allowInsecureRequests] : []
    return discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, { execute, timeout: 10 })
  })
  wantSoon(library)
  return {
    async authorization(flow, redirect) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${world.publicUrl()}${returnPath}`,
        scope: 'openid email',
        state: stateOf(flow, redirect),
        nonce: nonceOf(flow),
        code_challenge: await calculatePKCECodeChallenge(verifierOf(flow)),
        code_challenge_method: 'S256',
      })
    },
    async identify(flow, returned) {
      const redirect = redirectOf(returned.searchParams.get('state') ?? '')
      const { authorizationCodeGrant } = await library()
      const tokens = await authorizationCodeGrant(await configuration(), returned, {
        pkceCodeVerifier: verifierOf(flow),
        expectedState: stateOf(flow, redirect),
        expectedNonce: nonceOf(flow),
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      const email = claims?.['email']
      if (typeof email !== 'string' || claims?.['email_verified'] !== true) throw new Error('the issuer has no verified email of this user')
      return { email: email.toLowerCase(), redirect }
    },
  }
}

export const returnPath = '/api/auth/oidc/return'
