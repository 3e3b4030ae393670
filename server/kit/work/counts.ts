import { Counter } from 'prom-client'
import type { Metrics } from '#server/kit/metrics.ts'

/** By how much a counter has grown. */
export type Count = { counter: string; labels: Record<string, string | number>; by: number }

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
