import { Refusal } from '#common/kit/refusals.ts'

/** The most jobs at a time, in all and per user. More would slow down sales. */
const mostAtOnce = 2
const mostOfUser = 1

/** The user whose work it is. `isWanted` is true while someone waits for the result; without it, no one does yet. */
export type For = { userId: string; isWanted?: () => boolean }

type Work<T> = { userId: string; run: () => Promise<T>; wanted: (() => boolean)[]; result: PromiseWithResolvers<T>; runs: boolean }

/**
 * Runs work beside the requests, each name once at a time. A user's newer work replaces their waiting work, unless someone still awaits that: a user who
 * keeps typing wants the last word's result alone.
 */
export function openBehind<T>() {
  const works = new Map<string, Work<T>>()

  function next(): void {
    for (const [name, work] of works) {
      const running = [...works.values()].filter(({ runs }) => runs)
      if (running.length >= mostAtOnce) return
      if (work.runs || running.filter(({ userId }) => userId === work.userId).length >= mostOfUser) continue
      if (work.wanted.length > 0 && !isWanted(work)) leave(name, work)
      else start(name, work)
    }
  }

  function start(name: string, work: Work<T>): void {
    work.runs = true
    const end = () => {
      works.delete(name)
      next()
    }
    work.run().then(work.result.resolve, work.result.reject).finally(end)
  }

  function leave(name: string, { result }: Work<T>): void {
    works.delete(name)
    // The caller has left; only a repeated request could read this.
    result.reject(new Refusal('request.too_many', { retryAfter: 1 }))
  }

  return {
    /** Returns the result of running or waiting work of this name, or begins it. */
    begin(name: string, { userId, isWanted: wanted }: For, run: () => Promise<T>): Promise<T> {
      let work = works.get(name)
      if (!work) {
        for (const [earlier, other] of works) if (other.userId === userId && !other.runs && !isWanted(other)) leave(earlier, other)
        work = { userId, run, wanted: [], result: Promise.withResolvers(), runs: false }
        // Waiting callers get a failure.
        work.result.promise.catch(() => {})
        works.set(name, work)
      }
      if (wanted) work.wanted.push(wanted)
      const { promise } = work.result
      next()
      return promise
    },
  }
}

const isWanted = ({ wanted }: Pick<Work<unknown>, 'wanted'>): boolean => wanted.some(each => each())
