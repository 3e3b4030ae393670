import { create } from 'zustand'

/** The state of the service at the last request. Under maintenance it is reachable, but cannot serve requests. `slow` counts the slow requests. */
type Connection = { online: boolean; maintenance: boolean; slow: number }
export const useConnection = create<Connection>()(() => ({ online: true, maintenance: false, slow: 0 }))

export const isAvailable = ({ online, maintenance }: Connection): boolean => online && !maintenance

/** A response takes a second or two. After this time a user may think that the portal hangs, and begin again. */
export const slowMs = 8000

/** Counts a request as slow from `slowMs` until it ends. */
export async function watchSlow<Result>(request: Promise<Result>): Promise<Result> {
  const count = (by: number) => useConnection.setState(({ slow }) => ({ slow: slow + by }))
  let counted = 0
  const timer = setTimeout(() => count((counted = 1)), slowMs)
  try {
    return await request
  } finally {
    clearTimeout(timer)
    if (counted) count(-1)
  }
}

let losses = 0

export type RequestResult = 'response' | 'maintenance' | 'none'

/**
 * Called before each request. Returns the function that reports the request's result. A response to a request from before a connection loss does not
 * prove that the connection is back.
 */
export function trackRequest(): (result: RequestResult) => void {
  const before = losses
  return result => {
    if (result === 'none') setOffline()
    else if (before === losses) useConnection.setState({ online: true, maintenance: result === 'maintenance' })
  }
}

/** Follows the browser's own events, which report a lost or restored connection at once. */
export function watchConnection(): void {
  window.addEventListener('offline', setOffline)
  window.addEventListener('online', () => useConnection.setState({ online: true }))
}

function setOffline(): void {
  losses += 1
  useConnection.setState({ online: false })
}
