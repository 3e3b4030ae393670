/** Returns the time of a moment as `useFormat` shows it, for what ends today. */
export const timeOfDay = (moment: string): string => moment.slice(-5)
