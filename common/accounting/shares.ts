import { roundedRatio, toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'

/** A seller's part of the agency's commission in basis points, valid from a month (YYYY-MM) on. Null ends it. */
export type Share = { from: string; basisPoints: number | null }

type MonthEarned = { month: string; earned: number }

/** The seller's part of a commission, in cents. The basis points are null if they differ between its months. */
export type SharedOut = { basisPoints: number | null; cents: number }

/** Converts a percentage to basis points; undefined unless it is from 0 to 100, with at most two decimals. */
export function basisPointsOf(percent: unknown): number | undefined {
  const points = toCents(percent)
  return points !== undefined && points >= 0 && points <= 10_000 ? points : undefined
}

/** Reads a typed percentage. It is too small to be grouped, so comma and point are both decimal signs. */
export function readPercent(text: string): number | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d+(?:[.,]\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN
}

/** Returns the problem of a percentage. An empty one is valid. */
export const shareProblems = (path: string, percent: unknown): Problem[] =>
  percent === null || basisPointsOf(percent) !== undefined ? [] : [{ path, rule: 'range', key: 'agency.fault.share' }]

/** Returns the share in a month: the latest that had begun. */
export const shareIn = (shares: readonly Share[], month: string): number | null =>
  shares.reduce<Share | undefined>((last, each) => (each.from > month || (last && last.from > each.from) ? last : each), undefined)
    ?.basisPoints ?? null

/** Returns a part of a commission, rounded half away from zero. Charges and refunds thus round alike. */
export const partOf = (earned: number, basisPoints: number): number =>
  Math.sign(earned) * roundedRatio([Math.abs(earned), basisPoints], [10_000]) + 0

/**
 * Returns the seller's part of the commission of some months. Each month is rounded once, so that months add up to the cent to any period that they
 * make up. Undefined if no month has a share.
 */
export function sharedOut(months: readonly MonthEarned[], shares: readonly Share[]): SharedOut | undefined {
  const each = months.map(({ month, earned }) => ({ earned, points: shareIn(shares, month) }))
  const [first, ...others] = new Set(each.map(({ points }) => points))
  if (first === undefined || (first === null && others.length === 0)) return undefined
  const cents = each.reduce((sum, { earned, points }) => sum + (points === null ? 0 : partOf(earned, points)), 0)
  return { basisPoints: others.length === 0 ? first : null, cents }
}
