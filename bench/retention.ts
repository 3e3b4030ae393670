import { type Figure, figureOf, withoutBaseline } from './compare.ts'
import { type Copy, filledDatabase, inCopy } from './filled.ts'
import { load } from './load.ts'
import { seller } from './sale/seller.ts'
import { openSetup } from './setup.ts'

/** Measures a nightly retention with a tenth of the policies due, while eight sellers sell. */
export async function benchRetention(policies: number, kept?: string): Promise<Figure[]> {
  const { postgres, leave } = await filledDatabase({ policies, others: 0 }, kept)
  const figures = await inCopy(postgres, 'retention', copy => measure(copy, policies))
  await leave()
  return figures.map(figure => ({ ...figure, work: `${figure.work}, ${policies} policies` }))
}

const sellers = 8
const seconds = 20

async function measure(copy: Copy, policies: number): Promise<Figure[]> {
  await leaveDue(copy, Math.round(policies / 10))
  const setup = await openSetup(copy.postgres, { ...copy.environment, JOBS: 'off' })
  const { service, agent } = setup
  const sell = seller(agent)
  const selling = async () => (await load(service.origin, sellers, seconds, sell)).perSecond
  await selling()
  const before = await selling()
  const during: number[] = []
  let isOver = false
  const began = performance.now()
  const retention = service.ask('retain').then(counts => {
    isOver = true
    return { counts, spent: (performance.now() - began) / 1000 }
  })
  while (!isOver) during.push(await selling())
  const { counts, spent } = await retention
  const after = await selling()
  await setup.stop()
  // The last round of sales ends after the retention.
  const whole = during.slice(0, Math.max(1, during.length - 1))
  return [
    withoutBaseline(
      { work: `retention of ${counts} due objects while ${sellers} sell`, unit: ' s', target: '≤ 600 s' },
      spent,
      s => s <= 600,
    ),
    figureOf(
      { work: `sales/s of ${sellers} during the retention`, against: 'the same before and after it', unit: '/s', target: '≥ 0.8' },
      whole.map(ours => ({ ours, baseline: (before + after) / 2 })),
      ratio => ratio >= 0.8,
    ),
  ]
}

/** Leaves this many sold policies due, and no saved quote, as the others end too late. */
async function leaveDue({ postgres, name }: Copy, many: number): Promise<void> {
  await postgres.query(
    `set session_replication_role = replica;
     update policies set price_valid_until = now() + interval '1 year' where status in ('budgeted', 'pending', 'deleted');
     update policies set start_date = start_date + 1100, end_date = end_date + 1100
     where status in ('purchased', 'cancelled') and end_date < current_date - 360
       and id not in (select id from policies where status in ('purchased', 'cancelled') and end_date < current_date - 380 order by id limit ${many})`,
    name,
  )
  await postgres.query('vacuum analyze policies', name)
}
