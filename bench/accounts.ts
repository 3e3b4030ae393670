import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { addMonths, today } from '#common/kit/dates.ts'
import { asker, type Ask, signIn } from '#testing/agent.ts'
import { type Figure, withoutBaseline } from './compare.ts'
import { type Copy, filledDatabase, inCopy } from './filled.ts'
import { p95Of } from './load.ts'
import { openSetup } from './setup.ts'

/** Measures the earnings of this many policies. Also the closing of a month with all of them, its page and its bordereau. */
export async function benchAccounts(policies: number, kept?: string): Promise<Figure[]> {
  const { postgres, leave } = await filledDatabase({ policies, others: 0 }, kept)
  const figures = [...(await inCopy(postgres, 'earnings', measureEarnings)), ...(await inCopy(postgres, 'one_month', measureMonth))]
  await leave()
  return figures.map(figure => ({ ...figure, work: `${figure.work}, ${policies} policies` }))
}

async function openAccounts({ postgres, environment }: Copy, changes: Record<string, string> = {}) {
  const setup = await openSetup(postgres, { ...environment, ...changes })
  const ask = asker(() => setup.service.origin)
  const accountant = await signIn(ask, 'accounts@azahar.example')
  const p95 = (path: string, body: object) => p95Of(setup.service.origin, { path, headers: accountant.headers, body }, seconds)
  return { setup, accountant: accountant.ask, administrator: (await signIn(ask, 'admin@portolan.example')).ask, p95 }
}

/** The seconds for which each call is repeated. */
const seconds = 3

const thisMonth = () => `${today(new Date(), 'Europe/Madrid').slice(0, 7)}-01`

/** Measures the earnings of closed months, and of the current one. */
async function measureEarnings(copy: Copy): Promise<Figure[]> {
  const { setup, p95 } = await openAccounts(copy, { JOBS: 'off' })
  const closing = await timed(() => setup.service.ask('close'))
  const figures = [inSeconds('closing three years', closing)]
  for (const [name, months] of Object.entries({ 'a month': 1, 'twelve months': 12, 'three years': 36 })) {
    const body = { from: addMonths(thisMonth(), 1 - months).slice(0, 7), to: thisMonth().slice(0, 7) }
    const spent = await p95('/api/accounting/earnings', body)
    figures.push(withoutBaseline({ work: `earnings of ${name}, p95`, unit: ' ms', target: '≤ 100 ms' }, spent, ms => ms <= 100))
  }
  await setup.stop()
  return figures
}

/** Measures a month with every movement: its closing, its page, and its bordereau with the memory used. The nightly retention is over. */
async function measureMonth(copy: Copy): Promise<Figure[]> {
  const month = addMonths(thisMonth(), -1)
  await copy.postgres.query(
    `set session_replication_role = replica;
     insert into retention_runs (day, counts, finished_at) values ((now() at time zone 'UTC')::date, '{}', now());
     update money_book set at = '${month}'::timestamptz + interval '2 days' + (extract(epoch from at)::bigint % 2000000) * interval '1 second'`,
    copy.name,
  )
  await copy.postgres.query('vacuum analyze money_book', copy.name)
  const { setup, accountant, p95 } = await openAccounts(copy, { JOBS: 'off' })
  const closing = await timed(() => setup.service.ask('close'))
  const { statements } = await insist(accountant, '/api/accounting/statements', { page: 1, perPage: 10 })
  const { number } = statements[0]
  const detail = (page: number) => p95('/api/accounting/statements/detail', { number, page, perPage: 50 })
  const [first, late] = [await detail(1), await detail(500)]
  await setup.stop()
  const pageOf = (which: string, spent: number) =>
    withoutBaseline({ work: `${which} page of its statement, p95`, unit: ' ms', target: '≤ 300 ms' }, spent, ms => ms <= 300)
  return [
    inSeconds('closing one month with all', closing, 30),
    pageOf('first', first),
    pageOf('500th', late),
    ...(await measureBordereau(copy, month.slice(0, 7))),
  ]
}

async function measureBordereau(copy: Copy, period: string): Promise<Figure[]> {
  const { setup, administrator } = await openAccounts(copy)
  await setup.service.ask('watchMemory')
  const began = performance.now()
  const body = { requestUuid: randomUUID(), period, units: [setup.agent.unitId], kind: 'premium' }
  const { uuid } = await insist(administrator, '/api/administration/bordereau', body)
  const { rows, equal } = await untilPrepared(administrator, uuid)
  const spent = performance.now() - began
  const growth = (await setup.service.ask('peakMemoryGrowth')) / 1e6
  await setup.stop()
  if (!equal) throw new Error('the control sums of the bordereau differ')
  return [
    inSeconds(`bordereau of ${rows} rows`, spent, 60),
    withoutBaseline({ work: 'the same, memory growth of the process', unit: ' MB', target: '–' }, growth, () => true),
  ]
}

type Prepared = { uuid: string; state: string; sums: { rows: number; equal: boolean }[] }

/** Waits for a bordereau, and returns its control sums. */
async function untilPrepared(administrator: Ask, uuid: string) {
  for (;;) {
    const { periods } = await insist(administrator, '/api/administration/bordereau/list', { page: 1, perPage: 10 })
    const made = periods.flatMap(({ bordereaux }: { bordereaux: Prepared[] }) => bordereaux).find((one: Prepared) => one.uuid === uuid)
    if (made?.state === 'prepared') return made.sums[0]
    if (made?.state === 'failed') throw new Error('the bordereau failed')
    await delay(200)
  }
}

async function insist(ask: Ask, path: string, body: object) {
  const { status, body: reply, text } = await ask(path, { body, timeoutMs: 120_000 })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`)
  return reply.data
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const inSeconds = (work: string, ms: number, most?: number): Figure =>
  withoutBaseline(
    { work, unit: ' s', target: most === undefined ? '–' : `≤ ${most} s` },
    ms / 1000,
    spent => most === undefined || spent <= most,
  )
