/** How far the service's clock is ahead of the browser's, in ms, when the page's first data came. */
let ahead = 0

export function followService(now: number): void {
  ahead = now - Date.now()
}

/** Returns the service's time in ms. The browser's clock may be wrong, so it only adds what has passed since the first data. */
export const serviceNow = (): number => Date.now() + ahead
