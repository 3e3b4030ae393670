import type { Log } from '../log.ts'

/** Loads something once that a start does not need. */
type Later<T> = () => Promise<T>

const all: Later<unknown>[] = []
const wanted = new Set<() => unknown>()

/** Returns a loader for a module that is not needed until a client calls for it: loading takes time, and a start should be short. */
export function later<T>(load: () => Promise<T>): Later<T> {
  const loader = kept(load)
  all.push(loader)
  return loader
}

/**
 * Does the work once. After a failure the next call tries again. Node reads a file again that it could not read, but keeps the error of a module
 * that has thrown.
 */
export function kept<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => {
    begun ??= work().catch((error: unknown) => {
      begun = undefined
      throw error
    })
    return begun
  }
}

/** Marks something to be loaded soon after the start, so that the first client who needs it does not wait. */
export const wantSoon = (load: () => unknown): void => void wanted.add(load)

/** A delay that leaves time for the first page and its files. */
const soonMs = 1000

/** Begins to load what is wanted. The process may end meanwhile. */
export function loadSoon(log: Pick<Log, 'error'>): void {
  const failed = (err: unknown) => log.error({ err }, 'something could not be loaded')
  const loadNext = (loads: (() => unknown)[]) => {
    const [load, ...others] = loads
    if (!load) return
    // Loads one at a time, so that requests come in between.
    void Promise.resolve()
      .then(load)
      .catch(failed)
      .finally(() => setImmediate(loadNext, others).unref())
  }
  setTimeout(() => loadNext([...wanted]), soonMs).unref()
}

/** Loads every module, as Node then keeps its compiled form. */
export const loadAll = (): Promise<unknown> => Promise.all(all.map(load => load()))
