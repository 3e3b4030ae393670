/** The percentages of the credit limit at which an agency is notified, the highest first. */
const levels = [100, 95, 80] as const

/** Returns the highest of these that is reached; 0 below them. A limit of nothing is always reached. */
export const limitLevel = (limit: number, headroom: number): number => levels.find(level => (limit - headroom) * 100 >= limit * level) ?? 0
