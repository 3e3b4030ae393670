import { roundedRatio } from '#common/kit/money.ts'

/** Returns a part divided by a whole, with four decimals; null if the whole is 0. Both are integers: counts, or cents. */
export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : roundedRatio([part, 10_000], [whole]) / 10_000)
