import type { Elapsed } from '../clock.ts'

/**
 * So many publications within a second are a rush: of about as many sales a node of two cores makes the documents beside them. The embedded database is in one
 * process with the jobs, which slow down what publishes them so much that it would never come to as many.
 */
const many = { onServer: 30, onEmbedded: 10 }
const withinMs = 1_000

/** Notices when jobs are published faster than they can be done, which leaves too little of the machine to what publishes them. */
export type Rush = {
  note(published: number): void
  /** True while its jobs should wait. */
  isOn(): boolean
}

export function openRush({ embedded }: { embedded: boolean }, now: Elapsed): Rush {
  const most = embedded ? many.onEmbedded : many.onServer
  let latest: number[] = []
  return {
    note(published) {
      latest = [...latest, ...Array.from({ length: Math.min(published, most) }, now)].slice(-most)
    },
    isOn() {
      const [earliest] = latest
      return latest.length === most && earliest !== undefined && now() - earliest < withinMs
    },
  }
}
