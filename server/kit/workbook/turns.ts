/** One at a time, in the order in which they came. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function openTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const turn = last.then(work, work)
    // Whoever waits next is told by his own turn, not by the failure of this one.
    last = turn.catch(() => {})
    return turn
  }
}
