/** How far the service's clock is ahead of the browser's, in ms, by the latest reply. */
let ahead = 0

/** Takes over the service's time from the header of a reply. A reply without it changes nothing. */
export function followService(time: string | null): void {
  if (time) ahead = Number(time) - Date.now()
}

/** Returns the service's time in ms. A browser's clock may be wrong, so it only adds what has passed since the latest reply. */
export const serviceNow = (): number => Date.now() + ahead
