import type { JWTVerifyGetKey } from 'jose'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { later, wantSoon } from '#server/kit/work/later.ts'
import { findUserByEmail } from '../queries.ts'
import { hashToken, sameToken } from '../tokens.ts'
import { nonceOf } from './flow.ts'

export type HostToken = { email: string; jti: string; expires: Date }

/** Signatures that need the host's private key: never `none`, and none that the public key could make. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

const library = later(() => import('jose'))

/** Opens the check of tokens from the sign-in host. They must be signed by it, fresh, and for this portal and browser. */
export function openHostTokens(world: World): (token: string, flow: string) => Promise<HostToken | undefined> {
  const { AUTH_HOST_URL, AUTH_HOST_JWKS } = world.config
  if (!AUTH_HOST_URL || !AUTH_HOST_JWKS) return () => Promise.resolve(undefined)
  wantSoon(library)
  const keysAt = new URL(AUTH_HOST_JWKS)
  let keys: JWTVerifyGetKey | undefined
  const issuer = new URL(AUTH_HOST_URL).origin
  return async (token, flow) => {
    const { createRemoteJWKSet, jwtVerify } = await library()
    try {
      keys ??= createRemoteJWKSet(keysAt, { timeoutDuration: 5_000 })
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        issuer,
        audience: new URL(world.publicUrl()).origin,
        maxTokenAge: '5 minutes',
        requiredClaims: ['exp', 'iat', 'jti', 'nonce', 'email'],
        currentDate: world.realTime.now(),
      })
      const { email, jti, nonce, exp } = payload
      if (typeof email !== 'string' || typeof nonce !== 'string' || !jti || !exp) return undefined
      if (payload['email_verified'] === false || !sameToken(nonce, nonceOf(flow))) return undefined
      return { email: email.toLowerCase(), jti, expires: new Date(exp * 1000) }
    } catch (err) {
      world.log.warn({ err }, 'a token of the sign-in host was refused')
      return undefined
    }
  }
}

/** Returns the user that the token names, once. Its id is kept until it expires. */
export async function useHostToken(tx: ServiceTx, { email, jti, expires }: HostToken, now: Date): Promise<{ userId: string } | undefined> {
  const user = await findUserByEmail(tx, email)
  if (!user) return undefined
  const used = await tx
    .insertInto('one_time_tokens')
    .values({
      token_hash: hashToken(`host ${jti}`),
      purpose: 'sign-in',
      user_id: user.id,
      flow_hash: null,
      expires_at: expires,
      used_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return used && { userId: used.user_id }
}
