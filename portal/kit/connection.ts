import { create } from 'zustand'

/** Whether the service was there when it was last asked. */
export const useConnection = create<{ online: boolean }>()(() => ({ online: true }))

export function connected(online: boolean): void {
  if (useConnection.getState().online !== online) useConnection.setState({ online })
}

/** The browser knows at once when the line is gone; that it is back is only believed from an answer, or from the browser. */
export function watchConnection(): void {
  window.addEventListener('offline', () => connected(false))
  window.addEventListener('online', () => connected(true))
}
