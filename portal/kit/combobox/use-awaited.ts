import { useEffect, useEffectEvent, useState } from 'react'

/** Picks the first matching option, or only one that was typed in full. */
export type Picking = 'first' | 'exact'

/**
 * Keeps text typed before the options were loaded, and picks the option once they are. A fast user thus types nothing twice. `pick` ends the wait.
 * Options may depend on another waiting field, so an empty list is not the final result yet.
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
