import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Refusal } from '#common/kit/refusals.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { openMeasure } from '#server/kit/work/measure.ts'
import { asksFromHere } from './loopback.ts'

const unlimited = { config: { rateLimit: false } }

/** Is it alive, can it serve, how does it fare: for supervisors, balancers and operators. */
export function serveHealth(context: AppContext, isStopping: () => boolean): void {
  const { http, world } = context
  const measure = openMeasure(world)
  http.get('/health/live', unlimited, async () => ({ code: 200, data: { status: 'live' } }))
  http.get('/health', unlimited, async () => ({ code: 200, data: { status: 'live' } }))
  http.get('/health/ready', unlimited, async () => {
    const database = await sql`select 1`
      .execute(world.database.kysely)
      .then(() => world.database.hasRoom())
      .catch(() => false)
    if (isStopping() || !database || !world.outbox.isAlive()) throw new Refusal('service.unavailable', { retryAfter: 5 })
    return { code: 200, data: { status: 'ready', database: 'up', queue: 'up' } }
  })
  http.get('/metrics', unlimited, async (request, reply) => {
    if (!mayWatch(request, world.config.METRICS_TOKEN)) throw new Refusal('request.not_found')
    await measure()
    return reply.type(world.metrics.registry.contentType).send(await world.metrics.registry.metrics())
  })
}

/** On this machine without more ado; from elsewhere with the token. */
function mayWatch(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return asksFromHere(request)
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
