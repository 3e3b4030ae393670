import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type OidcHost = {
  issuer: string
  clientId: string
  clientSecret: string
  signsIn(account: { email: string; email_verified: boolean }): void
  close(): Promise<void>
}

/** Starts an OpenID Connect issuer on loopback that signs in the configured account without a prompt. */
export async function openOidcHost(redirectUri: string): Promise<OidcHost> {
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  // Safe: it listens on a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['portolan', 'a-secret-between-the-two']
  let account = { email: 'agent@azahar.example', email_verified: true }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...account }) }),
    loadExistingGrant: async (context: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: context.oidc.client.clientId, accountId: context.oidc.session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests'] },
  })
  const handle = provider.callback()
  server.on('request', (request, reply) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, reply)
    return void provider.interactionFinished(request, reply, { login: { accountId: 'account-1' } }, { mergeWithLastSubmission: false })
  })
  return {
    issuer,
    clientId,
    clientSecret,
    signsIn: next => {
      account = next
    },
    close: () => new Promise(resolve => void server.close(() => resolve())),
  }
}
