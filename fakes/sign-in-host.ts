import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type SignInHost = {
  origin: string
  jwks: string
  /** Signs a token with the host's key, or with an unpublished one if `foreign`. */
  sign(payload: JWTPayload, how?: { foreign?: boolean }): Promise<string>
  publicKey: string
  close(): Promise<void>
}

/** Starts a sign-in host that publishes its key set and signs tokens. */
export async function openSignInHost(): Promise<SignInHost> {
  const [own, other] = [await generateKeyPair('ES256', { extractable: true }), await generateKeyPair('ES256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }
  const server = createServer((_request, reply) => reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  // Safe: it listens on a port.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    jwks: `${origin}/jwks`,
    publicKey: JSON.stringify(jwk),
    sign: (payload, { foreign = false } = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'own' }).sign((foreign ? other : own).privateKey),
    close: () => new Promise(resolve => void server.close(() => resolve())),
  }
}
