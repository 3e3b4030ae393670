import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#common/kit/refusals.ts'
import type { Front } from './front.ts'

const unlimited = { config: { rateLimit: false } }

/** Is it alive, can it serve, how does it fare: for supervisors, balancers and operators. */
export function serveHealth(front: Front, isStopping: () => boolean): void {
  const { http, world } = front
  http.get('/health/live', unlimited, async () => ({ code: 200, data: { status: 'live' } }))
  http.get('/health', unlimited, async () => ({ code: 200, data: { status: 'live' } }))
  http.get('/health/ready', unlimited, async () => {
    const database = await sql`select 1`.execute(world.database.kysely).then(
      () => true,
      () => false,
    )
    if (isStopping() || !database || !world.outbox.isAlive()) throw new Refusal('service.unavailable', { retryAfter: 5 })
    return { code: 200, data: { status: 'ready', database: 'up', queue: 'up' } }
  })
  http.get('/metrics', unlimited, async (request, reply) => {
    if (!mayWatch(request.ip, request.headers.authorization, world.config.METRICS_TOKEN)) throw new Refusal('request.not_found')
    const due = await world.database.asService(tx =>
      tx
        .selectFrom('jobs')
        .select(tx.fn.countAll<number>().as('count'))
        .where('state', 'in', ['waiting', 'running'])
        .where('run_at', '<=', world.clock.now())
        .executeTakeFirstOrThrow(),
    )
    world.metrics.jobsWaiting.set(due.count)
    return reply.type(world.metrics.registry.contentType).send(await world.metrics.registry.metrics())
  })
}

/** On this machine without more ado; from elsewhere with the token. */
function mayWatch(ip: string, authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(ip)
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
