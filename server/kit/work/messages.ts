import { Counter } from 'prom-client'
import type { Metrics } from '#server/kit/metrics.ts'
import type { TakenJob } from './jobs.ts'
import type { Tasks } from './tasks.ts'

// The messages between the process that serves and its process for jobs (jobs-process.ts, jobs-side.ts).

/** A job that the process for jobs is running, with the fields to free its lease if that process dies. */
export type RunningJob = Pick<TakenJob, 'businessUnitId' | 'id' | 'attempts'>

export type ToJobs =
  /** The first message. `setting` is passed to the program, which opens its parts with it. */
  | { kind: 'begin'; setting: unknown }
  /** How many jobs were published for each subscriber. */
  | { kind: 'wake'; published: Record<string, number> }
  | { kind: 'ask'; id: number; task: string; args: unknown[] }
  | { kind: 'stop' }

export type FromJobs =
  /** All is open, and jobs are taken from now on. */
  | { kind: 'up' }
  /** Sent each second. `isAlive`: the outbox has looked for jobs. */
  | { kind: 'beat'; isAlive: boolean; counts: Count[]; memory: number; cpuSeconds: number }
  | { kind: 'taken'; jobs: RunningJob[] }
  | { kind: 'ended'; id: string }
  | { kind: 'busy'; task: string; isBusy: boolean }
  /** `value` is absent if the task failed. */
  | { kind: 'answer'; id: number; value?: unknown }

/** Reports of a process for jobs on its work. */
export type Reports = {
  taken(jobs: readonly RunningJob[]): void
  ended(id: string): void
  setBusy: Tasks['setBusy']
}

/** By how much a counter has grown. */
type Count = { counter: string; labels: Record<string, string | number>; by: number }

/** Returns a function that returns by how much each counter has grown since its last call. */
export function openCounts(metrics: Metrics): () => Promise<Count[]> {
  const known = new Map<string, number>()
  return async () => {
    const counts: Count[] = []
    for (const [counter, metric] of countersOf(metrics))
      for (const { labels, value } of (await metric.get()).values) {
        const key = `${counter} ${JSON.stringify(labels)}`
        const by = value - (known.get(key) ?? 0)
        known.set(key, value)
        // Safe: a counter's labels have values.
        if (by > 0) counts.push({ counter, labels: labels as Count['labels'], by })
      }
    return counts
  }
}

/** Adds what another process has counted. */
export function addCounts(metrics: Metrics, counts: readonly Count[]): void {
  const counters = new Map(countersOf(metrics))
  for (const { counter, labels, by } of counts) counters.get(counter)?.inc(labels, by)
}

const countersOf = (metrics: Metrics): [string, Counter][] =>
  Object.entries(metrics).flatMap(([name, metric]): [string, Counter][] => (metric instanceof Counter ? [[name, metric]] : []))
