/** One at a time, in the order in which they came. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function openTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const turn = last.then(work, work)
    // Whoever waits next is told neither how this one ended nor what it gave, which nobody holds here.
    last = turn.then(
      () => {},
      () => {},
    )
    return turn
  }
}
