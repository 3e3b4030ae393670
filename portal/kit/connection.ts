import { create } from 'zustand'

/** Whether the service was there when it was last asked; away is one that is reached, and says that it cannot answer now. */
export const useConnection = create<{ online: boolean; away: boolean }>()(() => ({ online: true, away: false }))

let losses = 0

export type Heard = 'answer' | 'away' | 'nothing'

/** Called when something is asked; what it gives is told what came of it. An answer to a question from before the line went proves nothing. */
export function asking(): (heard: Heard) => void {
  const before = losses
  return heard => {
    if (heard === 'nothing') lost()
    else if (before === losses) useConnection.setState({ online: true, away: heard === 'away' })
  }
}

/** The browser knows at once when the line is gone; that it is back is only believed from an answer, or from the browser. */
export function watchConnection(): void {
  window.addEventListener('offline', lost)
  window.addEventListener('online', () => useConnection.setState({ online: true }))
}

function lost(): void {
  losses += 1
  useConnection.setState({ online: false })
}
