import { roundedRatio } from '#common/kit/money.ts'

/** Returns a part of a whole, with four decimals; null of nothing. Both are whole numbers: counts, or cents. */
export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : roundedRatio([part, 10_000], [whole]) / 10_000)
