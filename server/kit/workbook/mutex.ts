export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Returns a function that runs work one at a time, in the order of its calls. */
export function openMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const current = last.then(work, work)
    // The next one does not get this one's result, so that the result is not kept in memory.
    last = current.then(
      () => {},
      () => {},
    )
    return current
  }
}
