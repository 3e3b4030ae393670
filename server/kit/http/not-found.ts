import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import { sendFailure } from './failures.ts'
import type { AppContext } from '#server/kit/app-context.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Answers unknown paths: 405 if another method exists, else the shell's page or 404. */
export function serveUnknownPaths(context: AppContext, page: (request: FastifyRequest) => Promise<Page> | Page | undefined): void {
  context.http.setNotFoundHandler({ preHandler: context.http.rateLimit() }, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const refuse = async (code: 'request.method' | 'request.not_found') => {
      // An unknown route needs no caller. One who is known gets the refusal in their unit's language.
      await context.identify(request, 'session').catch(() => undefined)
      return sendFailure(context.world, request, reply, new Refusal(code))
    }
    const offered = methods.filter(method => serves(context.http, method, path))
    if (offered.length > 0) {
      reply.header('allow', offered.join(', '))
      return refuse('request.method')
    }
    const shown = await page(request)
    if (!shown) return refuse('request.not_found')
    if ('location' in shown) return reply.header('cache-control', 'no-cache').redirect(shown.location, 302)
    return reply.status(shown.status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(shown.html)
  })
}

export type Page = { status: number; html: string } | { location: string }

type Route = { method: string; path: string }
const routes = new WeakMap<FastifyInstance, Route[]>()

/** Records every route that is registered from now on. Routes with a wildcard (`*`) are left out, because they match any path. */
export function recordRoutes(http: FastifyInstance): void {
  const served: Route[] = []
  routes.set(http, served)
  http.addHook('onRoute', ({ method, url }) => {
    if (!url.includes('*')) served.push(...[method].flat().map(each => ({ method: each, path: url })))
  })
}

export const routesOf = (http: FastifyInstance): readonly Route[] => routes.get(http) ?? []

/** True if a route has this path and method; a parameter such as `:uuid` matches one segment. */
const serves = (http: FastifyInstance, method: string, path: string): boolean =>
  routesOf(http).some(served => served.method === method && pattern(served.path).test(path))

const patterns = new Map<string, RegExp>()

function pattern(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const compiled = new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)
  patterns.set(path, compiled)
  return compiled
}
