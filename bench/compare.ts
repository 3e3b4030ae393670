/** One figure, with its baseline and the ratio of the two over all rounds. */
export type Figure = {
  work: string
  against: string
  unit: string
  ours: number
  baseline: number
  /** Our figure divided by the baseline: the median, minimum and maximum of the rounds. */
  ratio: { median: number; least: number; most: number }
  target: string
  met: boolean
}

export type Comparison = {
  work: string
  against: string
  unit: string
  target: string
  met: (ratio: number, ours: number) => boolean
  ours(): Promise<number>
  baseline(): Promise<number>
}

/** Measures both in turn, so that other load on the machine affects both. */
export async function compare(comparison: Comparison, rounds: number): Promise<Figure> {
  const { work, against, unit, target, met } = comparison
  const pairs: { ours: number; baseline: number }[] = []
  for (let round = 0; round < rounds; round++) pairs.push({ baseline: await comparison.baseline(), ours: await comparison.ours() })
  return figureOf({ work, against, unit, target }, pairs, met)
}

export function figureOf(
  named: Pick<Figure, 'work' | 'against' | 'unit' | 'target'>,
  pairs: { ours: number; baseline: number }[],
  met: Comparison['met'],
): Figure {
  const ratios = pairs.map(({ ours, baseline }) => ours / baseline)
  const ours = median(pairs.map(pair => pair.ours))
  const ratio = { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
  return { ...named, ours, baseline: median(pairs.map(({ baseline }) => baseline)), ratio, met: met(ratio.median, ours) }
}

/** Returns a figure without a baseline. */
export const withoutBaseline = (named: Pick<Figure, 'work' | 'unit' | 'target'>, ours: number, met: (ours: number) => boolean): Figure => ({
  ...named,
  against: '–',
  ours,
  baseline: Number.NaN,
  ratio: { median: Number.NaN, least: Number.NaN, most: Number.NaN },
  met: met(ours),
})

/** The target of a ratio. Without a target it is only shown. */
export const atLeast = (least: number | undefined) => ({
  target: least === undefined ? '–' : `≥ ${least}`,
  met: (ratio: number) => least === undefined || ratio >= least,
})

export const atMost = (most: number | undefined, unit = '') => ({
  target: most === undefined ? '–' : `≤ ${most}${unit}`,
  met: (found: number) => most === undefined || found <= most,
})

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
