import { setTimeout as delay } from 'node:timers/promises'
import type { Postgres } from '#testing/postgres.ts'
import { waitsAtMostMs } from '#server/kit/work/outbox.ts'
import { atLeast, atMost, type Figure, figureOf, withoutBaseline } from '../compare.ts'
import { sellFor, sellMany, untilAllMade } from './seller.ts'
import { openSides, type Side } from './sides.ts'

type Effort = { rounds: number; seconds: number }

const callers = 8
/** The longest time that documents wait while many sales are made, plus a second. */
const waitsInRushMs = waitsAtMostMs + 1_000

/**
 * issue 24: sells a burst with documents and without, and continues to sell while the documents are made. Only one of the two services works at a
 * time, so that neither takes the other's cores.
 */
export async function benchBurst(postgres: Postgres | undefined, sales: number, { rounds, seconds }: Effort): Promise<Figure[]> {
  const sides = await openSides(postgres)
  const { bare, full } = sides
  for (const side of [bare, full]) await sellFor(side, callers, seconds)
  await untilAllMade(full)
  const p95 = async (side: Side) => {
    const found: number[] = []
    for (let round = 0; round < rounds; round++) found.push((await sellFor(side, callers, seconds)).p95)
    return found
  }
  const empty = await p95(bare)
  const speedWithout = sales / (await sellMany(bare, sales, callers))
  const speed = sales / (await sellMany(full, sales, callers))
  // Sales delay documents that have waited for less. From now on, these are made beside the sales.
  await delay(waitsInRushMs)
  const draining = await p95(full)
  const began = performance.now()
  await untilAllMade(full)
  const drained = (performance.now() - began) / 1000
  await sides.stop()
  const on = postgres ? 'PostgreSQL' : 'embedded'
  const [ofSpeed, ofP95] = [atLeast(0.9), atMost(1.3)]
  return [
    figureOf(
      { work: `burst of ${sales} sales with documents, ${on}`, against: 'the same without', unit: '/s', target: ofSpeed.target },
      [{ ours: speed, baseline: speedWithout }],
      ofSpeed.met,
    ),
    figureOf(
      { work: `p95 of a sale while documents are made, ${on}`, against: 'without documents', unit: ' ms', target: ofP95.target },
      draining.map((ours, round) => ({ ours, baseline: empty[round] ?? Number.NaN })),
      ofP95.met,
    ),
    withoutBaseline({ work: 'from the last of these sales until all is made', unit: ' s', target: '–' }, drained, () => true),
  ]
}
