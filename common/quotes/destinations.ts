/** Returns the countries of a trip's joined text: `380,250` is Italy and France. */
export const destinationsIn = (joined: string): number[] => joined.split(',').map(Number)
