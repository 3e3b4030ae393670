import { useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

/** Returns the token of a client's link: the fragment of the URL, which reaches no server. */
export function useToken(): string {
  const { history } = useRouter()
  return useSyncExternalStore(history.subscribe, () => history.location.hash.slice(1))
}
