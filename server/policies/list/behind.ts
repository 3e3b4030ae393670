/** The works at a time. More would take the processors from sales. */
const mostAtOnce = 2

type Work = { userId: string; run: () => Promise<unknown>; ended: PromiseWithResolvers<void>; runs: boolean }

/**
 * Runs work that no one waits for, each name once at a time. A user's newest work takes the place of their earlier work that has not begun: who types
 * on is interested in the last word alone.
 */
export function openBehind() {
  const works = new Map<string, Work>()

  function next(): void {
    const all = [...works]
    const free = mostAtOnce - all.filter(([, { runs }]) => runs).length
    for (const [name, work] of all.filter(([, { runs }]) => !runs).slice(0, free)) {
      work.runs = true
      const end = () => leave(name, work)
      // A failure shows when the count is asked for: it is then counted again.
      work.run().then(end, end)
    }
  }

  function leave(name: string, { ended }: Work): void {
    works.delete(name)
    ended.resolve()
    next()
  }

  return {
    begin(name: string, userId: string, run: () => Promise<unknown>): void {
      if (works.has(name)) return
      for (const [earlier, work] of works) if (work.userId === userId && !work.runs) leave(earlier, work)
      works.set(name, { userId, run, ended: Promise.withResolvers(), runs: false })
      next()
    },
    /** Resolves once work of this name has ended or was dropped, at once if there is none. */
    ended: (name: string): Promise<void> => works.get(name)?.ended.promise ?? Promise.resolve(),
  }
}
