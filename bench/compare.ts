/** One figure: what we do, what it is measured against, and how the two stand to each other, round by round. */
export type Figure = {
  work: string
  against: string
  unit: string
  ours: number
  theirs: number
  /** Ours ÷ theirs: the median of the rounds, and the least and the most. */
  ratio: { median: number; least: number; most: number }
  reach: string
  reached: boolean
}

export type Comparison = {
  work: string
  against: string
  unit: string
  reach: string
  reached: (ratio: number, ours: number) => boolean
  ours(): Promise<number>
  theirs(): Promise<number>
}

/** One after the other, and again: whatever else the machine does meets both. */
export async function compare(comparison: Comparison, rounds: number): Promise<Figure> {
  const { work, against, unit, reach, reached } = comparison
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round++) pairs.push({ theirs: await comparison.theirs(), ours: await comparison.ours() })
  return figureOf({ work, against, unit, reach }, pairs, reached)
}

export function figureOf(
  named: Pick<Figure, 'work' | 'against' | 'unit' | 'reach'>,
  pairs: { ours: number; theirs: number }[],
  reached: Comparison['reached'],
): Figure {
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs)
  const ours = median(pairs.map(pair => pair.ours))
  const ratio = { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
  return { ...named, ours, theirs: median(pairs.map(({ theirs }) => theirs)), ratio, reached: reached(ratio.median, ours) }
}

/** What there is nothing to hold it against. */
export const alone = (named: Pick<Figure, 'work' | 'unit' | 'reach'>, ours: number, reached: (ours: number) => boolean): Figure => ({
  ...named,
  against: '–',
  ours,
  theirs: Number.NaN,
  ratio: { median: Number.NaN, least: Number.NaN, most: Number.NaN },
  reached: reached(ours),
})

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
