import type { Memory } from '#fault-tests/harness/node.ts'
import { type Postgres, postgresPrograms } from '#fault-tests/harness/postgres.ts'
import { alone, type Figure, figureOf } from './compare.ts'
import { type Ground, openGround, startDatabase } from './setup.ts'
import { openLine } from './load.ts'
import { seller } from './sales.ts'

/** Sales after which everything that is made once has been made. */
const warming = 500

/**
 * What the service holds when all that can go is gone: after many sales against the start, and how it grows with each. Papers and mails take
 * most of the time: a tenth of the sales has them, and all of them are made without.
 */
export async function benchMemory(sales: number): Promise<Figure[]> {
  const postgres = postgresPrograms() ? await startDatabase() : undefined
  const figures = [
    ...(await afterMany(postgres, { sales: Math.ceil(sales / 10), what: 'sales with papers and mails', environment: {} })),
    ...(await afterMany(postgres, { sales, what: 'sales', environment: { JOBS: 'off', PAPERS_WAIT_MS: '0' } })),
  ]
  await postgres?.remove()
  return figures
}

type Many = { sales: number; what: string; environment: Record<string, string> }

async function afterMany(postgres: Postgres | undefined, { sales, what, environment }: Many): Promise<Figure[]> {
  const ground = await openGround(postgres, environment, ['--expose-gc'])
  const memory = async () => {
    if (environment['JOBS'] !== 'off') await ground.service.ask('drain')
    return ground.service.ask('memory')
  }
  await sellMany(ground, warming)
  const start = await memory()
  await sellMany(ground, sales)
  const end = await memory()
  await ground.stop()
  const named = { work: `held after ${sales} ${what}`, against: `after ${warming}`, unit: ' MB', reach: '≤ 1.2' }
  const megabytes = ({ used }: Memory) => used / 1e6
  const growth = (end.used - start.used) / sales
  return [
    figureOf(named, [{ ours: megabytes(end), theirs: megabytes(start) }], ratio => ratio <= 1.2),
    alone({ work: 'the same, more with each sale', unit: ' bytes', reach: '≤ 200' }, growth, bytes => bytes <= 200),
    figureOf(
      { ...named, work: `${named.work}, the whole process`, reach: '–' },
      [{ ours: end.process / 1e6, theirs: start.process / 1e6 }],
      () => true,
    ),
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
