import { afterEach, beforeEach, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'

let app: CardApp
let seller: Seller
const start = today(new Date(), 'Europe/Madrid')
const leaving = (days: number, length = 3) => ({ startDate: addDays(start, days), endDate: addDays(start, days + length) })
type Tasks = { total: number; amount: number; items: { kind: string; policyUuid: string; amount: number }[] }

beforeEach(async () => {
  app = await cardApp({ backoff: [10, 50, 100] })
  seller = await sellerOf(app)
})
afterEach(() => app.stop())

const tasksOf = async ({ headers }: Pick<SignedIn, 'headers'> = seller): Promise<Tasks> =>
  (await app.ask('/api/policy/day', { headers })).body.data.tasks
/** Sends the client of a policy an email that every mailbox refuses. */
async function mailInVain(policyUuid: string): Promise<void> {
  await app.ask('/api/policy/sendCertificates', { headers: seller.headers, body: { policyUuid, emails: ['gone@example.es'] } })
  await app.world.outbox.drain()
  const refused = { state: 'refused', reason: 'no such box' } as const
  await app.world.database.kysely.updateTable('mails').set(refused).where('recipient_address', '=', 'gone@example.es').execute()
}
const namesOf = ({ items }: Tasks): string[] => items.map(({ kind }) => kind)

it('there are no tasks for a sold policy, or for a trip that is far', async () => {
  await sellAs(seller, leaving(2))
  await registerAs(seller, { saveBudget: true, ...leaving(7) })
  await registerAs(seller, leaving(7))
  expect(await tasksOf()).toEqual({ total: 0, amount: 0, items: [] })
})

it('tasks are the week’s quotes and unpaid sales, declined cards and failed emails', async () => {
  const byCard = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const { policyUuid: lapsing, total: low } = (await registerAs(seller, { saveBudget: true, ...leaving(0, 1) })).body.data
  const { policyUuid: unpaid, total: middle } = (await registerAs(seller, leaving(6, 12))).body.data
  const { policyUuid: declined, clientSecret, total: high } = (await registerAs(seller, { ...byCard, ...leaving(40, 18) })).body.data
  expect([low < middle, middle < high]).toEqual([true, true])
  expect(namesOf(await tasksOf())).toEqual(['unpaid', 'lapsing'])
  await payBy(app, clientSecret, 'pm_card_visa_chargeDeclined')
  await app.network.idle()
  const sold = (await sellAs(seller, leaving(100, 29))).body.data.policyData
  for (const policyUuid of [lapsing, sold.policyUuid]) await mailInVain(policyUuid)
  const tasks = await tasksOf()
  expect(tasks.items.map(({ kind, policyUuid, amount }) => [kind, policyUuid, amount])).toEqual([
    ['mail', sold.policyUuid, sold.total],
    ['declined', declined, high],
    ['unpaid', unpaid, middle],
    // The email of a quote that lapses is not a second task.
    ['lapsing', lapsing, low],
  ])
  // The amount leaves out the policy that is sold already.
  expect([tasks.total, Math.round(tasks.amount * 100)]).toEqual([4, Math.round((low + middle + high) * 100)])
  // A later attempt succeeds.
  await payBy(app, clientSecret)
  await app.network.idle()
  await app.world.outbox.drain()
  expect(namesOf(await tasksOf())).toEqual(['mail', 'unpaid', 'lapsing'])
})

it('a task says if its policy is still unsold, also that of a failed email', async () => {
  const { policyUuid: quote } = (await registerAs(seller, { saveBudget: true, ...leaving(40) })).body.data
  const sold = (await sellAs(seller, leaving(100, 29))).body.data.policyData
  for (const policyUuid of [quote, sold.policyUuid]) await mailInVain(policyUuid)
  const { items } = await tasksOf()
  expect(items).toMatchObject([
    { kind: 'mail', policyUuid: sold.policyUuid, isBudget: false },
    { kind: 'mail', policyUuid: quote, isBudget: true },
  ])
})

it('tasks are only those of policies that the user may see', async () => {
  await registerAs(seller, { saveBudget: true, ...leaving(0, 1) })
  await mailInVain((await sellAs(seller, leaving(100, 29))).body.data.policyData.policyUuid)
  expect(namesOf(await tasksOf())).toEqual(['mail', 'lapsing'])
  expect(namesOf(await tasksOf(await signIn(app, 'viewer@azahar.example')))).toEqual(['mail'])
  expect(await tasksOf(await signIn(app, 'agent@rotta.example'))).toEqual({ total: 0, amount: 0, items: [] })
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const freelancer = await sellerOf(app, 'manager@azahar.example')
  expect((await tasksOf(freelancer)).total).toBe(0)
  await registerAs(freelancer, { saveBudget: true, ...leaving(1) })
  expect(namesOf(await tasksOf(freelancer))).toEqual(['lapsing'])
})

it('quotes that a client has by link are tasks while their price ends, until one is answered or sold', async () => {
  const moment = (day: number, time: string) => new Date(`${addDays('2027-03-01', day)}T${time}+01:00`)
  let now = moment(0, '10:00:00')
  const dated = await cardApp({ clock: { now: () => now } })
  const by = await sellerOf(dated)
  const trip = { saveBudget: true, startDate: '2027-05-03', endDate: '2027-05-09' }
  const quotes = await Promise.all(['one', 'two', 'none'].map(buReference => registerAs(by, { ...trip, buReference })))
  const [one, two] = quotes.map(({ body }) => body.data)
  const linked = { policyUuid: one.policyUuid, alternatives: [two.policyUuid] }
  for (let link = 0; link < 2; link++)
    expect((await dated.ask('/api/policy/quote-link', { body: linked, headers: by.headers })).status).toBe(200)
  // The session of one day is over on the next.
  const tasks = async () => {
    const { headers } = await signIn(dated, 'agent@azahar.example')
    return (await dated.ask('/api/policy/day', { headers })).body.data.tasks
  }
  const ending = (days: number) => ({ total: 2, items: Array.from({ length: 2 }, () => ({ kind: 'quote_ending', days })) })
  expect((await tasks()).total).toBe(0)
  now = moment(1, '00:00:00')
  expect(await tasks()).toMatchObject({ ...ending(0), amount: one.total + two.total })
  now = moment(2, '23:59:59')
  expect(await tasks()).toMatchObject(ending(-1))
  const { kysely } = dated.world.database
  const { id } = await kysely.selectFrom('quote_links').select('id').orderBy('id').executeTakeFirstOrThrow()
  const decide = (decision: 'declined' | null) => kysely.updateTable('quote_links').set({ decision }).where('id', '=', id).execute()
  await decide('declined')
  expect((await tasks()).total).toBe(0)
  await decide(null)
  now = moment(3, '00:00:00')
  expect((await tasks()).total).toBe(0)
  // Another one of the link is sold: nothing is left to decide.
  now = moment(1, '09:00:00')
  expect((await purchaseAs(await sellerOf(dated), { purchaseUUID: two.purchaseUUID })).status).toBe(200)
  expect((await tasks()).items.map(({ kind }: { kind: string }) => kind)).not.toContain('quote_ending')
  await dated.stop()
})
