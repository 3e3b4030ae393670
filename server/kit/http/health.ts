import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { openMeasure } from '#server/kit/work/measure.ts'
import { isFromThisMachine } from './loopback.ts'

const unlimited = { config: { rateLimit: false } }

/** Serves liveness, readiness and metrics, for supervisors, load balancers and operators. */
export function serveHealth(context: AppContext, isStopping: () => boolean): void {
  const { http, world } = context
  const measure = openMeasure(world)
  http.get('/health/live', unlimited, async () => ({ code: 200, data: { status: 'live' } }))
  http.get('/health', unlimited, async () => ({ code: 200, data: { status: 'live' } }))
  http.get('/health/ready', unlimited, async () => {
    const database = await world.database
      .ping()
      .then(() => world.database.hasRoom())
      .catch(() => false)
    if (isStopping() || !database || !world.outbox.isAlive()) throw new Refusal('service.unavailable', { retryAfter: 5 })
    return { code: 200, data: { status: 'ready', database: 'up', queue: 'up' } }
  })
  http.get('/metrics', unlimited, async (request, reply) => {
    if (!mayReadMetrics(request, world.config.METRICS_TOKEN)) throw new Refusal('request.not_found')
    await measure()
    return reply.type(world.metrics.registry.contentType).send(await world.metrics.registry.metrics())
  })
}

/** True for a request with the token. Without the setting, only requests from this machine are allowed. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isFromThisMachine(request)
  const actual = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
