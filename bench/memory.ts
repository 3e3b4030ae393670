import type { Memory } from '#testing/node.ts'
import { type Postgres, postgresPrograms } from '#testing/postgres.ts'
import { withoutBaseline, type Figure, figureOf } from './compare.ts'
import { openSetup, startDatabase } from './setup.ts'
import { sellMany } from './sale/seller.ts'

/** Sales after which all one-time allocations are done. */
const warmUpSales = 500

/**
 * Measures memory after many sales compared with the start, and its growth per sale. Documents and emails take most of the time, so only a tenth of
 * the sales has them; all sales are also made without. Garbage is collected first.
 */
export async function benchMemory(sales: number): Promise<Figure[]> {
  const postgres = postgresPrograms() ? await startDatabase() : undefined
  const figures = [
    ...(await measureGrowth(postgres, { sales: Math.ceil(sales / 10), what: 'sales with documents and emails', environment: {} })),
    ...(await measureGrowth(postgres, { sales, what: 'sales', environment: { JOBS: 'off', DOCUMENTS_WAIT_MS: '0' } })),
  ]
  await postgres?.remove()
  return figures
}

type Workload = { sales: number; what: string; environment: Record<string, string> }

async function measureGrowth(postgres: Postgres | undefined, { sales, what, environment }: Workload): Promise<Figure[]> {
  const setup = await openSetup(postgres, environment, ['--expose-gc'])
  const memory = async () => {
    if (environment['JOBS'] !== 'off') await setup.service.ask('drain')
    return setup.service.ask('memory')
  }
  await sellMany(setup, warmUpSales)
  const start = await memory()
  await sellMany(setup, sales)
  const end = await memory()
  await setup.stop()
  const label = { work: `memory after ${sales} ${what}`, against: `after ${warmUpSales}`, unit: ' MB', target: '≤ 1.2' }
  const megabytes = ({ used }: Memory) => used / 1e6
  const growth = (end.used - start.used) / sales
  return [
    figureOf(label, [{ ours: megabytes(end), baseline: megabytes(start) }], ratio => ratio <= 1.2),
    withoutBaseline({ work: 'the same, growth per sale', unit: ' bytes', target: '≤ 200' }, growth, bytes => bytes <= 200),
    figureOf(
      { ...label, work: `${label.work}, the whole process`, target: '–' },
      [{ ours: end.process / 1e6, baseline: start.process / 1e6 }],
      () => true,
    ),
  ]
}
