import type { FastifyReply, FastifyRequest } from 'fastify'
import { home } from '#common/session/redirect.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { ownOrigin, soleCookie } from '#server/kit/http/http.ts'
import { byHand } from '#server/kit/openapi/openapi.ts'
import { audit, countRefusal, whereOf } from '../audit.ts'
import { flowCookie, setFlow } from '../cookies.ts'
import { allowedRedirect, openCallback } from '#server/session/sign-in/login.ts'
import { findUserByEmail } from '../queries.ts'
import { mintToken } from '../tokens.ts'
import { nonceOf } from './flow.ts'
import { signInKind } from './kind.ts'
import { openOidc, returnPath } from './oidc.ts'

const signInPage = '/auth/sign-in'

/** Serves the start of every sign-in, and the return from OpenID Connect. */
export function serveExternal({ http, world }: AppContext): void {
  const kind = signInKind(world.config)
  const oidc = kind === 'oidc' ? openOidc(world) : undefined
  const toCookies = (reply: FastifyReply) => ({
    get: () => undefined,
    set: (...[name, value, options]: Parameters<FastifyReply['setCookie']>) => void reply.setCookie(name, value, options),
  })

  http.get<{ Querystring: { redirect?: unknown } }>('/api/auth/start', async (request, reply) => {
    const redirect = allowedRedirect(world, ownOrigin(world.config, request), request.query.redirect)
    if (kind === 'password')
      return reply.redirect(redirect === home ? signInPage : `${signInPage}?${new URLSearchParams({ redirect }).toString()}`)
    const flow = mintToken()
    return reply.redirect(await beginAt(reply, flow, redirect).catch(error => refused(request, error)))
  })

  async function beginAt(reply: FastifyReply, flow: string, redirect: string): Promise<string> {
    const address = oidc ? await oidc.authorization(flow, redirect) : hostAddress(flow, redirect)
    setFlow(world.config, toCookies(reply), flow)
    return address.href
  }

  function hostAddress(flow: string, redirect: string): URL {
    const address = new URL(world.config.AUTH_HOST_URL ?? '')
    const back = new URL('/auth/callback', world.publicUrl())
    back.searchParams.set('redirect', redirect)
    address.searchParams.set('redirect_uri', back.href)
    address.searchParams.set('nonce', nonceOf(flow))
    return address
  }

  if (oidc)
    http.get(returnPath, async (request, reply) => reply.redirect(await comeBack(request, reply).catch(error => refused(request, error))))

  async function comeBack(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const flow = soleCookie(request, flowCookie(world.config))
    if (!oidc || !flow) throw new Error('this browser began no sign-in')
    const { email, redirect } = await oidc.identify(flow, new URL(request.url, world.publicUrl()))
    return world.database.asService(async tx => {
      const user = await findUserByEmail(tx, email)
      if (!user) throw new Error('no user has this email')
      await audit(world, tx, whereOf(request), { action: 'session.oidc', outcome: 'done', userId: user.id })
      return openCallback(world, tx, toCookies(reply), user, allowedRedirect(world, ownOrigin(world.config, request), redirect))
    })
  }

  async function refused(request: FastifyRequest, error: unknown): Promise<string> {
    world.log.warn({ requestId: request.id, err: error }, 'a return from the issuer was refused')
    world.metrics.signIns.inc({ event: 'session.bad_token' })
    await world.database.asService(tx =>
      countRefusal(world, tx, whereOf(request), { action: 'session.oidc', reason: error instanceof Error ? error.name : 'unknown' }),
    )
    return signInPage
  }
}

const text = { type: 'string' }
const redirects = { 302: { description: 'The browser is sent on' } }
const inQuery = (name: string, required = false) => ({ name, in: 'query', required, schema: text })

/** The paths that browsers are redirected through. Programs do not call them. */
export const externalPaths = {
  '/api/auth/start': {
    get: byHand('Start a sign-in at this portal or an external host', 'nothing', {
      parameters: [inQuery('redirect')],
      responses: redirects,
    }),
  },
  [returnPath]: {
    get: byHand('The return from OpenID Connect, where users sign in with it', 'nothing', {
      parameters: [inQuery('code', true), inQuery('state', true)],
      responses: redirects,
    }),
  },
}
