import { useEffect, useEffectEvent, useState } from 'react'

/** Picks the first option that matches what was typed, or only one that was typed in full. */
export type Picking = 'first' | 'exact'

/**
 * Keeps what was typed before the options were loaded, and picks it once they are: a quick user has gone on meanwhile, and types nothing twice.
 *
 * `pick` ends the wait. The options of a field may depend on another one that waits, too, so none at all is not yet an answer.
 */
export function useAwaited(isLoading: boolean, count: number, pick: (picking: Picking) => void) {
  const [awaited, setAwaited] = useState<Picking>()
  const settle = useEffectEvent(pick)
  const isReady = !isLoading && count > 0
  useEffect(() => {
    if (isReady && awaited) settle(awaited)
  }, [isReady, awaited])
  return { isAwaited: awaited !== undefined, setAwaited }
}
