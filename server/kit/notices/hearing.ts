import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { systemElapsed } from '#server/kit/clock.ts'
import { type Announcer, Bus, changeIn, channel, noticeOf, type Notices } from './notices.ts'

type Times = {
  /** The time between two proofs that the connection still listens. */
  proveMs: number
  /** The age of the last proof from which on notices do not count as heard. */
  trustMs: number
  /** The time after which a connection that does not answer is replaced. */
  giveUpMs: number
  /** The longest time between two attempts to connect. */
  retryMs: number
  /** The time until the next attempt if notices do not reach the service. */
  keptBackMs: number
}

const usualTimes: Times = { proveMs: 1_000, trustMs: 3_000, giveUpMs: 5_000, retryMs: 5_000, keptBackMs: 60_000 }
const firstRetryMs = 50

/** Thrown if our own notice does not reach us. */
class KeptBack extends Error {}

/**
 * Returns the notices of a PostgreSQL server. They arrive on a connection of their own, which proves each second that it still listens, as it may have
 * died silently. Without a proof, notices do not count as heard.
 */
export function noticesOfServer(pool: pg.Pool, times = usualTimes, elapsed = systemElapsed): { notices: Notices; announcer: Announcer } {
  const bus = new Bus()
  const over = new AbortController()
  const never = Number.NEGATIVE_INFINITY
  let provenAt = never
  let state: 'starting' | 'heard' | 'lost' | 'kept back' = 'starting'
  let say: (text: string, error?: unknown) => void = () => {}
  let running: Promise<void> | undefined
  let retryMs = firstRetryMs

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        await hear()
      } catch (error) {
        if (!over.signal.aborted) explain(error)
      }
      await rest(retryMs, over.signal)
      retryMs = Math.min(times.retryMs, retryMs * 2)
    }
  }

  function explain(error: unknown): void {
    const before = state
    if (error instanceof KeptBack) {
      state = 'kept back'
      retryMs = times.keptBackMs
      if (before !== state) say('notices of PostgreSQL do not arrive, so every call reads its session: does a pooler stand in between?')
    } else if (state === 'heard') {
      state = 'lost'
      say('the connection for notices was lost, so every call reads its session until there is another', error)
    }
  }

  /** Listens until the connection ends, and then throws. */
  async function hear(): Promise<never> {
    const client = new pg.Client({
      connectionString: pool.options.connectionString,
      connectionTimeoutMillis: times.giveUpMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    const ended = new AbortController()
    const end = (reason?: unknown) => {
      if (ended.signal.aborted) return
      provenAt = never
      ended.abort(reason)
      bus.missed()
      client.connection.stream.destroy()
    }
    const stop = () => end()
    client.on('error', end)
    client.once('end', stop)
    over.signal.addEventListener('abort', stop)
    try {
      await inTime(client, client.connect())
      await listenTo(client, ended.signal)
      // Everything that was read until now may be outdated by a missed notice.
      bus.missed()
      for (;;) {
        const askedAt = elapsed()
        await inTime(client, client.query(stillListening))
        provenAt = ended.signal.aborted ? never : askedAt
        retryMs = firstRetryMs
        state = 'heard'
        await delay(times.proveMs, undefined, { signal: ended.signal, ref: false })
      }
    } finally {
      end()
      over.signal.removeEventListener('abort', stop)
    }
  }

  /** Listens, and throws unless a notice arrives that another connection sent. Through a pooler a connection may hear itself alone. */
  async function listenTo(client: pg.Client, ended: AbortSignal): Promise<void> {
    const proof = `proof ${randomUUID()}`
    const arrival = new AbortController()
    client.on('notification', ({ payload = '' }) => (payload === proof ? arrival.abort() : bus.tell([changeIn(payload)])))
    await inTime(client, client.query(`listen ${channel}`))
    await pool.query(`select pg_notify('${channel}', '${proof}')`)
    await rest(times.giveUpMs, arrival.signal, ended)
    ended.throwIfAborted()
    if (!arrival.signal.aborted) throw new KeptBack()
  }

  /** Waits for an answer. A connection that gives none in time is destroyed, which fails the query. */
  async function inTime(client: pg.Client, answer: Promise<unknown>): Promise<void> {
    const timer = setTimeout(() => client.connection.stream.destroy(), times.giveUpMs)
    timer.unref()
    try {
      await answer
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    notices: {
      listen: listener => bus.listen(listener),
      areHeard: () => elapsed() - provenAt < times.trustMs,
      start(report) {
        say = report
        running ??= run()
      },
      async stop() {
        over.abort()
        await running
      },
    },
    announcer: { statementFor: changes => (changes.length > 0 ? noticeOf(changes) : undefined), tell: changes => bus.tell(changes) },
  }
}

/** Fails if the connection listens no longer, as behind a pooler that has changed it. */
const stillListening = `select 1 / count(*) from pg_listening_channels() as listened where listened = '${channel}'`

/** Waits for a time, or until one of the signals. */
async function rest(ms: number, ...signals: AbortSignal[]): Promise<void> {
  const signal = AbortSignal.any(signals)
  await delay(ms, undefined, { signal, ref: false }).catch(() => {})
}
