/** The percentages of the credit limit at which an agency is notified, the highest first. */
const levels = [100, 95, 80] as const

/** Returns the highest level that is reached, or 0. A limit of 0 is always reached. */
export const limitLevel = (limit: number, headroom: number): number => levels.find(level => (limit - headroom) * 100 >= limit * level) ?? 0
