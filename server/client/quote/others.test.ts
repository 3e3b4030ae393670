import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type CardApp, cardApp, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { ana, leo, purchaseAs, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { runRetention } from '#server/privacy/retention/run.ts'
import { askClient } from '../testing.ts'

// A quote that others touch while its client has the link: the agent, another link of it, the years.

let app: CardApp
let seller: Seller
let now: Date | undefined
beforeAll(async () => {
  app = await cardApp({ clock: { now: () => now ?? new Date() } })
  seller = await sellerOf(app)
})
afterEach(async () => {
  now = undefined
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const post = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
const save = async (changes: object = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, ...changes })).body.data.policyUuid
const linkTo = async (policyUuid: string, ...alternatives: string[]): Promise<string> =>
  (await post('quote-link', { policyUuid, alternatives })).body.data.url.split('#')[1]

type Shown = { policyUuid: string; version: number; files: { uuid: string }[]; price: { total: number }; withdrawal: boolean }
const quoteIn = async (token: string): Promise<Shown> => (await askClient(app, 'quote', { token })).body.data.quotes[0]
const pay = (token: string, { policyUuid, version, files, price, withdrawal }: Shown, more: object = {}) =>
  askClient(app, 'quote/pay', {
    token,
    policyUuid,
    version,
    expectedTotal: price.total,
    declared: { needs: true, files: files.map(({ uuid }) => uuid), beginNow: withdrawal ? false : null },
    ...more,
  })
const begin = async (token: string): Promise<string> => (await pay(token, await quoteIn(token))).body.data?.clientSecret
/** Pays a link's quote by card, and reports it as the page does. */
async function buy(token: string): Promise<void> {
  const quote = await quoteIn(token)
  const secret = (await pay(token, quote)).body.data.clientSecret
  await payBy(app, secret)
  expect((await pay(token, quote, { paymentIntentClientSecret: secret })).body.data.state).toBe('done')
}
const byCard = () => ({ paymentGatewayUUID: seller.gateway('StripeV2') })

it('a client never gets the secret of a payment that the agent has begun meanwhile', async () => {
  const policyUuid = await save()
  const token = await linkTo(policyUuid)
  const quote = await quoteIn(token)
  const cards = app.sales.cards
  if (!cards) throw new Error('this unit takes cards')
  const createIntent = cards.createIntent.bind(cards)
  let agents = ''
  // The agent sells the quote while the network's answer to the client's payment is on its way.
  cards.createIntent = async (...asked) => {
    const intent = await createIntent(...asked)
    cards.createIntent = createIntent
    const users = [
      { ...ana, ...reach },
      { ...leo, birthDate: '1955-06-01' },
    ]
    agents = (await registerAs(seller, { policyUuid, version: 2, ...byCard(), users })).body.data.clientSecret
    return intent
  }
  const { body } = await pay(token, quote)
  expect(agents).toMatch(/^pi_/)
  expect(body.data?.clientSecret).not.toBe(agents)
})

it('a link that once began to pay opens no policy that another link bought', async () => {
  const policyUuid = await save()
  const first = await linkTo(policyUuid)
  await begin(first)
  await registerAs(seller, { saveBudget: true, policyUuid, version: 2 })
  await post('quote-link/revoke', { policyUuid })
  const second = await linkTo(policyUuid)
  await buy(second)
  expect((await askClient(app, 'policy', { token: second })).status).toBe(200)
  expect((await askClient(app, 'policy', { token: first })).status).toBe(404)
})

it('a payment that one link has begun does not bar another one, which cancels it first', async () => {
  const policyUuid = await save()
  const [first, second] = [await linkTo(policyUuid), await linkTo(policyUuid)]
  const left = await begin(first)
  await buy(second)
  expect(await payBy(app, left).catch(() => 'cancelled')).not.toBe('succeeded')
  expect((await askClient(app, 'policy', { token: first })).status).toBe(404)
})

it('a decline leaves a sale by card that the agent has begun', async () => {
  const policyUuid = await save()
  const token = await linkTo(policyUuid)
  await begin(token)
  await reconcileLater(app, 25 * 60)
  const { body } = await registerAs(seller, { policyUuid, ...byCard() })
  await askClient(app, 'quote/decline', { token, name: 'Ana' })
  expect(await payBy(app, body.data.clientSecret)).toBe('succeeded')
  await app.network.idle()
  await app.world.outbox.drain()
})

it('a declined link completes nothing', async () => {
  const policyUuid = await save({
    users: [
      { ...ana, ...reach },
      { ...leo, docNumber: '' },
    ],
  })
  const token = await linkTo(policyUuid)
  const { version } = await quoteIn(token)
  await askClient(app, 'quote/decline', { token, name: 'Ana' })
  const users = [{ position: 1, docNumber: leo.docNumber }]
  expect((await askClient(app, 'quote/complete', { token, policyUuid, version, users })).body.error).toBe('request.conflict')
})

it('a country that the agency entered stays, also beside an address that is missing', async () => {
  const policyUuid = await save({ users: [{ ...ana, ...reach, address: '', residenceCountryId: 724 }, leo] })
  const token = await linkTo(policyUuid)
  const { version } = await quoteIn(token)
  const complete = (residenceCountryId: number) =>
    askClient(app, 'quote/complete', { token, policyUuid, version, users: [{ position: 0, address: 'Calle 1', residenceCountryId }] })
  expect((await complete(250)).body.fields).toMatchObject([{ path: 'users[0].residenceCountryId', rule: 'fixed' }])
  expect((await complete(724)).status).toBe(200)
})

it('a link opens the policy that it bought for as long as it was promised', async () => {
  const { uuid: productUUID } = seller.products.find(({ code }) => code === 'ANN')
  const [year, rest] = [new Date().getFullYear() + 1, '-01-04']
  const term = { productUUID, startDate: `${year}${rest}`, endDate: `${year + 1}-01-03`, countriesDestinationId: '764' }
  const token = await linkTo(await save(term))
  await buy(token)
  const open = async () => (await askClient(app, 'policy', { token })).status
  now = new Date(Date.now() + 735 * 86_400_000)
  expect(await open()).toBe(200)
  await runRetention(app.world, today(now, 'UTC'))
  expect(await open()).toBe(200)
})

it('a payment that a link has begun is settled, though the link was ended meanwhile', async () => {
  const policyUuid = await save()
  const token = await linkTo(policyUuid)
  const quote = await quoteIn(token)
  const secret = (await pay(token, quote)).body.data.clientSecret
  await post('quote-link/revoke', { policyUuid })
  expect((await pay(token, quote)).body.error).toBe('request.not_found')
  await payBy(app, secret)
  expect((await pay(token, quote, { paymentIntentClientSecret: secret })).body.data.state).toBe('done')
  expect((await askClient(app, 'policy', { token })).status).toBe(200)
})

it('a quote that is saved for another policyholder is shown by no link of the former one', async () => {
  const [one, two] = [await save(), await save({ buReference: 'B' })]
  const token = await linkTo(one, two)
  const saveAs = (holder: object, version: number) =>
    save({ policyUuid: two, version, users: [{ ...ana, ...reach, docNumber: '87654321X', ...holder }, leo] })
  await saveAs({}, 1)
  expect((await askClient(app, 'quote', { token })).status).toBe(200)
  await saveAs({ name: 'Bob', middleName: 'Ruiz' }, 2)
  expect((await askClient(app, 'quote', { token })).body.error).toBe('request.not_found')
  const { history } = (await post('detail', { policyUuid: two })).body.data
  expect(history.map(({ what }: { what: string }) => what)).toContain('quote_links_revoked')
})

it('a quote that only the agency can complete says so', async () => {
  const company = { companyName: 'Acme SL', ...reach, docNumber: '', identificationTypeId: 4 }
  const [whole, lacking] = [await save(), await save({ roleFirstUser: 3, users: [company, ana, leo] })]
  expect([await quoteIn(await linkTo(whole)), await quoteIn(await linkTo(lacking))]).toMatchObject([
    { agencyCompletes: false },
    { agencyCompletes: true },
  ])
})

it('the panel tells what the client answered by any link, and ends those that are still open', async () => {
  const policyUuid = await save()
  const [older] = [await linkTo(policyUuid), await linkTo(policyUuid)]
  const link = async () => (await post('detail', { policyUuid })).body.data.link
  expect(await link()).toMatchObject({ decision: null, open: true })
  await askClient(app, 'quote/decline', { token: older, name: 'Ana' })
  expect(await link()).toMatchObject({ decision: 'declined', open: true })
  await post('quote-link/revoke', { policyUuid })
  expect(await link()).toMatchObject({ decision: 'declined', open: false })
})

it.each([
  [
    'is sold by the agency',
    async (policyUuid: string) => registerAs(seller, { policyUuid }).then(({ body }) => purchaseAs(seller, body.data)),
  ],
  ['is being paid at the agency', async (policyUuid: string) => registerAs(seller, { policyUuid, ...byCard() })],
  ['was bought by another link', async (policyUuid: string) => buy(await linkTo(policyUuid))],
])('a quote that %s is not declined, and no one gets a proof of that', async (_, happen) => {
  const policyUuid = await save()
  const token = await linkTo(policyUuid)
  await happen(policyUuid)
  expect((await askClient(app, 'quote/decline', { token, name: 'Ana' })).body.error).toBe('request.conflict')
  await app.world.outbox.drain()
  const mails = await app.world.database.kysely.selectFrom('mails').select('template').where('about', '=', policyUuid).execute()
  expect(mails.map(({ template }) => template)).not.toContain('quote_answered')
})

/** Lets something happen while the network is asked to cancel the next payment. */
function whileCancelling(happen: () => Promise<unknown>): void {
  const { cards } = app.sales
  if (!cards) throw new Error('this unit takes cards')
  const cancel = cards.cancelIntent.bind(cards)
  cards.cancelIntent = async (...asked) => {
    cards.cancelIntent = cancel
    await happen()
    return cancel(...asked)
  }
}

it('a link that ends while it waits for the network neither declines nor begins to pay', async () => {
  for (const answer of ['decline', 'pay']) {
    const [one, two] = [await save(), await save({ buReference: 'B' })]
    const token = await linkTo(one, two)
    await begin(token)
    const other = (await askClient(app, 'quote', { token })).body.data.quotes[1]
    whileCancelling(() => post('quote-link/revoke', { policyUuid: one }))
    const reply = answer === 'pay' ? await pay(token, other) : await askClient(app, 'quote/decline', { token, name: 'Ana' })
    expect([answer, reply.body.error]).toEqual([answer, 'request.not_found'])
  }
})

it('a quote that gets its policyholder keeps its links', async () => {
  const policyUuid = await save({ users: [] })
  const token = await linkTo(policyUuid)
  await save({ policyUuid, version: 1 })
  expect((await askClient(app, 'quote', { token })).status).toBe(200)
})

it('a payment that begins while a decline waits for the network is cancelled, too', async () => {
  const [one, two] = [await save(), await save({ buReference: 'B' })]
  const token = await linkTo(one, two)
  await begin(token)
  const other = (await askClient(app, 'quote', { token })).body.data.quotes[1]
  let secret = ''
  whileCancelling(async () => {
    secret = (await pay(token, other)).body.data.clientSecret
  })
  expect((await askClient(app, 'quote/decline', { token, name: 'Ana' })).body.data).toEqual({ state: 'declined' })
  expect(secret).toMatch(/^pi_/)
  expect(await payBy(app, secret)).not.toBe('succeeded')
})
