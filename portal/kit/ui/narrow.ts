import { useSyncExternalStore } from 'react'

/** The widths at which the shell has a bar at the top instead of a sidebar. */
const narrow = () => matchMedia('(width < 48rem)')

function watch(onChange: () => void): () => void {
  const query = narrow()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** True on a phone, where a row of a sheet becomes a card. */
export const useIsNarrow = (): boolean => useSyncExternalStore(watch, () => narrow().matches)
