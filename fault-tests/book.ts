import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { addDays, addMonths, startOfDay } from '#common/kit/dates.ts'
import { type FaultTest, random } from './fault-test.ts'
import { type Agent, type Json, purchase, register, sell, signIn } from '#testing/agent.ts'
import type { Deployment } from './harness/deployment.ts'
import { drill, insist, setClock } from './harness/drill.ts'
import { type Service, startService } from '#testing/service.ts'
import { until } from '#tools/until.ts'

export const zone = 'Europe/Madrid'
export const sixHours = 6 * 3_600_000
const firstMonth = '2026-12-01'

/** Sets the business clock, and sells a trip a year later for 33.76 on the agency's account. */
export async function sellAt(deployment: Deployment, at: number): Promise<Json> {
  await setClock(deployment, at)
  const startDate = addDays(new Date(at).toISOString().slice(0, 10), 300)
  return sell(deployment.agent, { startDate, endDate: addDays(startDate, 7) })
}

type Closed = { month: string; closings: number; deeds: number; account: number }

/** Returns the statements of the selling agency, oldest first. */
async function statementsOf(deployment: Deployment): Promise<Closed[]> {
  const rows = await deployment.sql(
    `select to_char(month, 'YYYY-MM-DD') as month, count(*)::int as closings, sum(deeds)::int as deeds, sum(account_cents)::int as account
     from statements where business_unit_id = $1 group by 1 order by 1`,
    [deployment.agent.unitId],
  )
  // Safe: these are the selected columns.
  return rows as Closed[]
}

/** Waits until a month is closed for every agency with bookings. */
export async function untilClosed(deployment: Deployment, month: string): Promise<void> {
  await until(`the closing of ${month}`, async () => {
    const open = await deployment.sql(
      `select from (select business_unit_id, min(at) as first from money_book group by 1) as unit
       where first < $1::date and not exists (
         select from statements where statements.business_unit_id = unit.business_unit_id and month = $1::date)`,
      [month],
    )
    return open.length === 0
  })
}

/** Kills one of two nodes at a random moment while it closes a month. The other one, and the next start, may close the same month. */
async function killWhileClosing(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { postgres, folder } = deployment
  const other = postgres && (await secondNode(postgres.url(), folder))
  for (let round = 0; round < many; round++) {
    const month = addMonths(firstMonth, round)
    await sellAt(deployment, startOfDay(addDays(month, 10), zone))
    // Setting the clock wakes the job that closes months, on both nodes.
    const due = setClock(deployment, startOfDay(addMonths(month, 1), zone) + sixHours).catch(() => {})
    await delay(random(0, 400))
    await deployment.node().kill()
    await due
    await deployment.start()
    await setClock(deployment, startOfDay(addMonths(month, 1), zone) + sixHours)
    await untilClosed(deployment, month)
  }
  await other?.stop()
  const closed = await statementsOf(deployment)
  for (const { month, closings, deeds } of closed)
    if (month >= firstMonth && (closings !== 1 || deeds !== 1)) say(`${month} was closed ${closings} times with ${deeds} movements`)
  return { months: many, kills: many, statements: closed.length }
}

export const secondNode = (url: string, folder: string): Promise<Service> =>
  startService({ program: 'testing/node.ts', environment: { DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'error' } })

/** Kills the service at a random moment while a payment is booked by hand. The same payment is then booked again. */
async function killWhilePaying(deployment: Deployment, say: (problem: string) => void, many: number) {
  await sell(deployment.agent)
  const administrator = await signIn(deployment.ask, 'admin@portolan.example')
  const balance = async () => {
    const [row] = await deployment.sql('select sum(agency_account)::int as cents from money_book where business_unit_id = $1', [
      deployment.agent.unitId,
    ])
    return Number(row?.['cents'])
  }
  const before = await balance()
  let cut = 0
  for (let round = 0; round < many; round++) {
    const body = payment(deployment.agent, round)
    const book = () => administrator.ask('/api/administration/accounting/payment', { body })
    const first = book().then(
      () => 'replied',
      () => 'cut',
    )
    await delay(random(0, 60))
    await deployment.node().kill()
    if ((await first) === 'cut') cut += 1
    await deployment.start()
    for (const reply of await Promise.all([insist(book), insist(book)]))
      if (reply.status !== 200) say(`a payment after a kill answered ${reply.status} ${reply.text.slice(0, 200)}`)
  }
  const paid = before - (await balance())
  if (paid !== many * 100) say(`${paid} cents were booked for ${many} payments of 100`)
  return { payments: many, kills: many, 'requests cut': cut }
}

const payment = ({ unitId }: Agent, round: number) => ({
  businessUnitUuid: unitId,
  requestUuid: randomUUID(),
  way: 'received',
  amount: 1,
  on: '2026-11-02',
  reference: `Transfer ${round}`,
  // Equal payments on one day, above the agency's debt.
  again: true,
  beyond: true,
})

/** Pays the agency's debt, as an overdue agency cannot sell. */
async function payOff({ ask, agent }: Deployment): Promise<void> {
  const administrator = await signIn(ask, 'admin@portolan.example')
  const body = { page: 1, perPage: 10, businessUnitUuid: agent.unitId }
  const { accounts } = (await administrator.ask('/api/administration/accounting/list', { body })).body.data
  const paid = await administrator.ask('/api/administration/accounting/payment', {
    body: { ...payment(agent, 0), amount: accounts[0].lastStatement.due },
  })
  if (paid.status !== 200) throw new Error(`not paid: ${paid.text}`)
}

/** Sells at the turns of months, to the millisecond, and in the hours around both clock changes. */
async function crossMonths(deployment: Deployment, say: (problem: string) => void) {
  const nights = ['2027-03-28T00:59:59.999Z', '2027-03-28T01:00:00Z', '2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'].map(Date.parse)
  const months = Array.from({ length: 12 }, (_, index) => addMonths(firstMonth, index))
  const expected = new Map<string, number>()
  for (const month of months) {
    const next = addMonths(month, 1)
    const [starts, ends] = [startOfDay(month, zone), startOfDay(next, zone)]
    const sales = [starts, ...nights.filter(at => at > starts && at < ends), ends - 1]
    for (const at of sales) await sellAt(deployment, at)
    expected.set(month, sales.length)
    await setClock(deployment, ends + sixHours - 1)
    await deployment.node().ask('close')
    if ((await statementsOf(deployment)).some(closed => closed.month === month)) say(`${month} was closed before six in the morning`)
    await setClock(deployment, ends + sixHours)
    await untilClosed(deployment, month)
    await payOff(deployment)
  }
  for (const { month, deeds, account } of await statementsOf(deployment)) {
    const sales = expected.get(month)
    if (sales !== undefined && (deeds !== sales || account !== sales * 3376))
      say(`${month} has ${deeds} movements and ${account} cents, for ${sales} sales`)
  }
  return { months: months.length, sales: [...expected.values()].reduce((sum, sales) => sum + sales, 0) }
}

/** Lets 64 sellers buy at once on an account whose limit is enough for half of them. */
async function reachTheLimit(deployment: Deployment, say: (problem: string) => void, many: number) {
  const administrator = await signIn(deployment.ask, 'admin@portolan.example')
  const limit = async (amount: number | null) => {
    const body = { businessUnitUuid: deployment.agent.unitId, limit: amount, netted: true, reason: 'Fault test' }
    return (await administrator.ask('/api/administration/accounting/limit', { body })).body.data.account
  }
  let sold = 0
  for (let round = 0; round < many; round++) {
    const balance: number = await limit(null)
    const sales = await Promise.all(Array.from({ length: 64 }, () => register(deployment.agent)))
    await limit(Number((balance + 32 * 33.76 + random(0, 33.75)).toFixed(2)))
    const replies = await Promise.all(sales.map(({ body }) => purchase(deployment.agent, { purchaseUUID: body.data.purchaseUUID })))
    const bought = replies.filter(({ status }) => status === 200).length
    const others = replies.filter(({ status, body }) => status !== 200 && body?.error !== 'account.limit')
    if (bought !== 32 || others.length > 0) say(`${bought} of 64 were sold where 32 fit; others answered ${others[0]?.text.slice(0, 150)}`)
    sold += bought
  }
  await limit(null)
  return { rounds: many, sellers: 64, sold }
}

const exact = 'each agency has one statement a month, the chain of statements has what the book has, and every booking is there once'

export const book: FaultTest[] = [
  {
    id: 'kill-closing',
    title: 'kill -9 of one of two nodes while months are closed',
    invariant: exact,
    needs: 'PostgreSQL',
    run: drill(killWhileClosing, 40),
  },
  {
    id: 'kill-paying',
    title: 'kill -9 of the server while payments are booked by hand, each asked for three times',
    invariant: 'each payment is booked once, and every check of the money book holds',
    needs: 'PostgreSQL',
    run: drill(killWhilePaying, 40),
  },
  {
    id: 'month-ends',
    title: 'sales in the last and first millisecond of a year’s months, and around both changes of the clocks',
    invariant: `no month is closed before six in the morning; ${exact}`,
    run: drill(crossMonths, 1),
  },
  {
    id: 'limit-64',
    title: '64 sellers at once on an account whose limit is enough for half of them',
    invariant: 'exactly those sales that fit are made, and the limit is not exceeded by a cent',
    needs: 'PostgreSQL',
    run: drill(reachTheLimit, 20),
  },
]
