import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

/** What an operator watches; docs/operations.md says which figure should wake somebody. */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'portolan_' })
  return {
    registry,
    calls: new Histogram({
      name: 'portolan_call_seconds',
      help: 'Time to answer a call, by path and status',
      labelNames: ['method', 'path', 'status'] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    signIns: new Counter({
      name: 'portolan_sign_ins_total',
      help: 'Sign-in events, by kind and outcome',
      labelNames: ['event'] as const,
      registers,
    }),
    cardEvents: new Counter({
      name: 'portolan_card_events_total',
      help: 'Events of the card network, by what they were: heard, repeated, of something other, of a foreign installation, unknown',
      labelNames: ['outcome'] as const,
      registers,
    }),
    jobs: new Counter({
      name: 'portolan_jobs_total',
      help: 'Jobs done, put off and given up, by subscriber',
      labelNames: ['subscriber', 'outcome'] as const,
      registers,
    }),
    jobsWaiting: new Gauge({ name: 'portolan_jobs_waiting', help: 'Jobs that are due and not yet done', registers }),
    jobsFailed: new Gauge({ name: 'portolan_jobs_failed', help: 'Jobs that were given up and wait for somebody to look', registers }),
    defects: new Counter({ name: 'portolan_defects_total', help: 'Requests that ended in an unforeseen error', registers }),
  }
}
