/** How far the service's clock is ahead of the browser's, in ms. Measured when the page's first data arrived. */
let ahead = 0

export function followService(now: number): void {
  ahead = now - Date.now()
}

/** Returns the service's time in ms. As the browser's clock may be wrong, it only measures the time since the first data. */
export const serviceNow = (): number => Date.now() + ahead

let timeZone = 'UTC'

/** Shows all times in a zone from now on: the business unit's, as "until 00:00" means its midnight. */
export function showTimesIn(zone: string): void {
  timeZone = zone
}

export const shownTimeZone = (): string => timeZone
