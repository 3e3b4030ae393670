let timeZone = 'UTC'

/** Shows all times in a zone from now on: the business unit's, as "until 00:00" means its midnight. */
export function showTimesIn(zone: string): void {
  timeZone = zone
}

export const shownTimeZone = (): string => timeZone
