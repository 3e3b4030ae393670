import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import { sendFailure } from './failures.ts'
import type { AppContext } from '#server/kit/app-context.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** What nobody serves: 405 where another method would do, else 404. Pages are the shell's matter. */
export function answerTheRest(context: AppContext, page: (request: FastifyRequest) => Promise<Page> | Page | undefined): void {
  context.http.setNotFoundHandler({ preHandler: context.http.rateLimit() }, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const offered = methods.filter(method => serves(context.http, method, path))
    if (offered.length > 0) {
      reply.header('allow', offered.join(', '))
      return sendFailure(context.world, request, reply, new Refusal('request.method'))
    }
    const found = await page(request)
    if (!found) return sendFailure(context.world, request, reply, new Refusal('request.not_found'))
    if ('location' in found) return reply.header('cache-control', 'no-cache').redirect(found.location, 302)
    return reply.status(found.status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(found.html)
  })
}

export type Page = { status: number; html: string } | { location: string }

type Served = { method: string; path: string }
const routes = new WeakMap<FastifyInstance, Served[]>()

/** From now on it is known what is served, by whichever method. What takes any path (`*`) says nothing of this one. */
export function noteRoutes(http: FastifyInstance): void {
  const served: Served[] = []
  routes.set(http, served)
  http.addHook('onRoute', ({ method, url }) => {
    if (!url.includes('*')) served.push(...[method].flat().map(each => ({ method: each, path: url })))
  })
}

export const routesOf = (http: FastifyInstance): readonly Served[] => routes.get(http) ?? []

/** Whether something is served at this very path by that method; `:uuid` in its path stands for one step. */
const serves = (http: FastifyInstance, method: string, path: string): boolean =>
  routesOf(http).some(served => served.method === method && pattern(served.path).test(path))

const patterns = new Map<string, RegExp>()

function pattern(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const made = new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)
  patterns.set(path, made)
  return made
}
