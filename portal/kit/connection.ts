import { create } from 'zustand'

/** Whether the service was there when it was last asked. */
export const useConnection = create<{ online: boolean }>()(() => ({ online: true }))

let losses = 0

/** Called when something is asked; what it gives is told whether there was an answer. One to a question from before the line went proves nothing. */
export function asking(): (answered: boolean) => void {
  const before = losses
  return answered => {
    if (!answered) lost()
    else if (before === losses) found()
  }
}

/** The browser knows at once when the line is gone; that it is back is only believed from an answer, or from the browser. */
export function watchConnection(): void {
  window.addEventListener('offline', lost)
  window.addEventListener('online', found)
}

function lost(): void {
  losses += 1
  useConnection.setState({ online: false })
}

function found(): void {
  useConnection.setState({ online: true })
}
