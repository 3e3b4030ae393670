import { afterEach, beforeEach, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { type Seller, sellerOf } from '#server/policies/testing.ts'
import { askClient, sellTo, tokenFor } from '../testing.ts'

let app: CardApp
let seller: Seller
let manager: Seller
beforeEach(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
  manager = await sellerOf(app, 'manager@azahar.example')
})
afterEach(() => app.stop())

const email = 'ana@example.es'
const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = (path: string, body: object, by = seller) => app.ask(`/api/policy/${path}`, { body, headers: by.headers })
type Task = { kind: string; policyUuid: string }
const noticesOf = async (by = seller): Promise<[string, string][]> =>
  (await app.ask('/api/policy/day', { headers: by.headers })).body.data.tasks.items.map(({ kind, policyUuid }: Task) => [kind, policyUuid])

/** Offers four more days to the client of a new policy. */
async function offer() {
  const { policyUuid } = await sellTo(app, seller)
  const change = { policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
  const { changeUuid } = (await post('change', { ...change, settle: { offer: { email } } })).body.data
  return { policyUuid, changeUuid, token: await tokenFor(app, policyUuid, email) }
}
type Offered = Awaited<ReturnType<typeof offer>>
const answer = async ({ token, changeUuid }: Offered, how: 'pay' | 'decline', more = {}) =>
  (await askClient(app, `change/${how}`, { token, changeUuid, ...more })).body.data

async function pay(offered: Offered): Promise<void> {
  const { clientSecret } = await answer(offered, 'pay')
  await payBy(app, clientSecret)
  const report = () => answer(offered, 'pay', { paymentIntentClientSecret: clientSecret })
  expect((await Promise.all([report(), report()])).map(({ state }) => state)).toEqual(['done', 'done'])
}

it('an agent who offered a change gets a notice that the client paid or declined it', async () => {
  const [paid, declined, open] = [await offer(), await offer(), await offer()]
  expect(await noticesOf()).toEqual([])
  await pay(paid)
  expect((await answer(declined, 'decline')).state).toBe('declined')
  expect((await answer(declined, 'decline')).state).toBe('declined')
  expect(await noticesOf()).toEqual([
    ['offer_declined', declined.policyUuid],
    ['offer_paid', paid.policyUuid],
  ])
  const { tasks } = (await app.ask('/api/policy/day', { headers: seller.headers })).body.data
  // A paid change is worth its charge. The amount of all tasks is what could still be sold.
  expect([tasks.items.find(({ kind }: Task) => kind === 'offer_paid').amount, tasks.amount]).toEqual([17.08, 0])
  for (const [policyUuid, what] of [
    [paid.policyUuid, 'change_accepted'],
    [declined.policyUuid, 'change_declined'],
  ])
    expect((await post('detail', { policyUuid }, manager)).body.data.history).toContainEqual(
      expect.objectContaining({ what, who: expect.stringMatching(/^Ana /) }),
    )
  await post('change/take-back', { changeUuid: open.changeUuid })
  expect((await noticesOf()).length).toBe(2)
})

it('a notice is shown to the agent who offered until that agent opens the policy', async () => {
  const declined = await offer()
  await answer(declined, 'decline')
  const notice = ['offer_declined', declined.policyUuid]
  expect(await noticesOf(manager)).not.toContainEqual(notice)
  await post('detail', { policyUuid: declined.policyUuid }, manager)
  expect(await noticesOf()).toContainEqual(notice)
  await post('detail', { policyUuid: declined.policyUuid })
  expect(await noticesOf()).not.toContainEqual(notice)
})

it('the newest answer about a policy replaces the one before', async () => {
  const first = await offer()
  await answer(first, 'decline')
  const change = { policyUuid: first.policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
  const { changeUuid } = (await post('change', { ...change, settle: { offer: { email } } })).body.data
  await pay({ ...first, changeUuid })
  const about = (await noticesOf()).filter(([, policyUuid]) => policyUuid === first.policyUuid)
  expect(about).toEqual([['offer_paid', first.policyUuid]])
})
