/** Returns the time of day in the format of `useFormat`, for something that ends today. */
export const timeOfDay = (moment: string): string => moment.slice(-5)
