import type { Elapsed } from '../clock.ts'

/**
 * How many publications within a second are a rush. A node of two cores can make the documents of about as many sales beside the sales themselves. The
 * embedded database shares its process with the jobs, which slow down sales so much that the larger number would never be reached.
 */
const many = { onServer: 30, onEmbedded: 10 }
const withinMs = 1_000

/** Notices when jobs are published faster than they can be done, and so slow down the requests that publish them. */
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
