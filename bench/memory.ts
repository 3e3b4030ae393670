import { postgresPrograms } from '#drills/rig/postgres.ts'
import { alone, type Figure, figureOf } from './compare.ts'
import { type Ground, openGround, startDatabase } from './ground.ts'
import { openLine } from './load.ts'
import { seller } from './sales.ts'

/** Sales after which everything that is made once has been made. */
const warming = 500

/** What the service holds when all that can go is gone: after many sales against the start, and how it grows with each. */
export async function benchMemory(sales: number): Promise<Figure[]> {
  const postgres = postgresPrograms() ? await startDatabase() : undefined
  const ground = await openGround(postgres, {}, ['--expose-gc'])
  const held = async () => {
    // With their papers and mails, which are made afterwards.
    await ground.service.ask('drain')
    return (await ground.service.ask<number>('memory')) / 1e6
  }
  await sellMany(ground, warming)
  const start = await held()
  await sellMany(ground, sales)
  const end = await held()
  await ground.stop()
  await postgres?.remove()
  const named = { work: `held after ${sales} sales`, against: `after ${warming}`, unit: ' MB', reach: '≤ 1.2' }
  const growth = ((end - start) * 1e6) / sales
  return [
    figureOf(named, [{ ours: end, theirs: start }], ratio => ratio <= 1.2),
    alone({ work: 'the same, more with each sale', unit: ' bytes', reach: '≤ 200' }, growth, bytes => bytes <= 200),
  ]
}

async function sellMany({ service, agent }: Ground, many: number): Promise<void> {
  const sell = seller(agent)
  let left = many
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const line = await openLine(service.origin)
      while (left-- > 0) await sell(line)
      line.close()
    }),
  )
}
