import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The time limit of a scrape's own work, shorter than the scrape timeout of Prometheus. */
export const patienceMs = 2_000

export type Metrics = ReturnType<typeof openMetrics>

/** Opens the metrics for operators; docs/operations.md says which of them should raise an alert. */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'portolan_' })
  new Gauge({
    name: 'portolan_build_info',
    help: 'Which version runs, on which Node',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version, node: process.versions.node }, 1)
  const connections = new Gauge({
    name: 'portolan_database_connections',
    help: 'Connections of the pool in use and idle, and requests that wait for one',
    labelNames: ['state'] as const,
    registers,
  })
  /** Creates a counter with every outcome at 0. Prometheus sees no increase in a series that begins at 1. */
  const counterOf = <Label extends string>(name: string, help: string, label: Label, values: readonly string[]) => {
    const counter = new Counter({ name, help, labelNames: [label], registers })
    // Safe: the object has exactly this label.
    for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0)
    return counter
  }
  return {
    registry,
    calls: new Histogram({
      name: 'portolan_call_seconds',
      help: 'Time to answer a call, by path and status',
      labelNames: ['method', 'path', 'status'] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    signIns: counterOf('portolan_sign_ins_total', 'Sign-in events, by kind and outcome', 'event', [
      'session.open',
      'session.bad_credentials',
      'session.too_many',
    ]),
    cardEvents: counterOf('portolan_card_events_total', 'Events of the card network, by outcome', 'outcome', [
      'heard',
      'repeated',
      'other',
      'foreign',
      'unknown',
    ]),
    jobs: new Counter({
      name: 'portolan_jobs_total',
      help: 'Jobs done, deferred and failed, by subscriber',
      labelNames: ['subscriber', 'outcome'] as const,
      registers,
    }),
    filesMissing: counterOf('portolan_files_missing_total', 'Files whose content the file store had lost, by outcome', 'outcome', [
      'made again',
      'lost',
    ]),
    jobsWaiting: new Gauge({
      name: 'portolan_jobs_waiting',
      help: 'Jobs neither done nor failed, due or deferred, of all nodes together',
      labelNames: ['subscriber'] as const,
      registers,
    }),
    jobsOldest: new Gauge({
      name: 'portolan_jobs_oldest_seconds',
      help: 'Age of the oldest waiting job',
      labelNames: ['subscriber'] as const,
      registers,
    }),
    jobsFailed: new Gauge({
      name: 'portolan_jobs_failed',
      help: 'Failed jobs, until they are retried',
      labelNames: ['subscriber'] as const,
      registers,
    }),
    jobsHeld: new Gauge({ name: 'portolan_jobs_held', help: '1 while all jobs of a restored copy are held', registers }),
    reviews: new Gauge({ name: 'portolan_payments_to_review', help: 'Card payments to review', registers }),
    jobsProcess: new Gauge({ name: 'portolan_jobs_process_up', help: '1 while a process of its own does the jobs', registers }),
    jobsProcessMemory: new Gauge({
      name: 'portolan_jobs_process_resident_memory_bytes',
      help: 'Resident memory of the process for jobs',
      registers,
    }),
    jobsProcessCpu: new Counter({
      name: 'portolan_jobs_process_cpu_seconds_total',
      help: 'CPU time of the process for jobs',
      registers,
    }),
    jobsProcessEnded: new Counter({
      name: 'portolan_jobs_process_ended_total',
      help: 'How often the process for jobs ended unexpectedly',
      registers,
    }),
    databaseUp: new Gauge({ name: 'portolan_database_up', help: '1 if the database answered this scrape', registers }),
    noticesHeard: new Gauge({
      name: 'portolan_notices_heard',
      help: '1 while this node hears of changes by other nodes; else every call reads its session from the database',
      registers,
    }),
    sales: counterOf('portolan_sales_total', 'Policies sold, by payment gateway', 'gateway', ['Deferred', 'StripeV2']),
    mails: counterOf('portolan_mails_total', 'Attempts to send an email, by outcome', 'outcome', [
      'sent',
      'put_off',
      'refused',
      'withdrawn',
    ]),
    refunds: counterOf('portolan_refunds_total', 'Refunds that became due, were done, were refused or went by bank transfer', 'outcome', [
      'due',
      'done',
      'refused',
      'transferred',
    ]),
    defects: new Counter({ name: 'portolan_defects_total', help: 'Requests that ended in an unexpected error', registers }),
    /** Adds a gauge that is read at each scrape. After two seconds it keeps its last value. */
    measured(name: string, help: string, read: () => Promise<number>): void {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const stop = new AbortController()
          const late = delay(patienceMs, undefined, { signal: stop.signal }).catch(() => undefined)
          const value = await Promise.race([read(), late])
          stop.abort()
          if (value !== undefined) this.set(value)
        },
      })
      registry.registerMetric(gauge)
    },
    countConnections({ totalCount, idleCount, waitingCount }: pg.Pool): void {
      connections.set({ state: 'in_use' }, totalCount - idleCount)
      connections.set({ state: 'idle' }, idleCount)
      connections.set({ state: 'waiting' }, waitingCount)
    },
  }
}

// Safe: package.json has a version.
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
