import type { Drill, Result } from './drill.ts'
import { register } from './rig/agent.ts'
import { countsOf, faultsOf, moneyAstray, pay, sellUntil, type Sold, soldSoFar } from './rig/sellers.ts'
import { openShop, type Shop } from './rig/shop.ts'

const invariant = 'what the card network has taken is one sale of that amount, or is given back, or stands before somebody'

type Weather = (shop: Shop) => void | Promise<void>

/** Sellers take cards in that weather; in the end the reconciler comes by, and all must be in order. */
async function inWeather(weather: Weather, many: number): Promise<Result> {
  const shop = await openShop()
  const before = await soldSoFar(shop)
  let sold: Sold = { sales: [], cut: 0, putOff: 0, slowestMs: 0, faults: [] }
  const blowing = setInterval(() => void weather(shop), 50)
  await weather(shop)
  sold = await sellUntil(shop, 4, ({ sales }) => sales.length >= many, { card: true, patienceMs: 300_000 })
  clearInterval(blowing)
  await clearUp(shop)
  const faults = [...(await faultsOf(shop, sold, before)), ...(await moneyAstray(shop))]
  const { webhooks } = shop.network.counters()
  await shop.stop()
  return { counts: { ...countsOf(sold), 'webhooks taken': webhooks.taken, 'webhooks refused': webhooks.refused }, faults }
}

/** The weather is over; the reconciler comes by, as it does every minute, until a day and more has passed. */
async function clearUp(shop: Shop): Promise<void> {
  shop.network.clearFaults()
  shop.network.webhooks({ mode: 'normal' })
  shop.network.release()
  await shop.network.idle()
  for (const hours of [1, 25, 26, 27]) {
    await shop.node().ask('clock', hours * 3_600_000)
    await shop.node().ask('drain')
    await shop.node().ask('reconcile')
  }
  await shop.network.idle()
  await shop.node().ask('drain')
  await shop.node().ask('clock', 0)
}

const fault =
  (name: 'drop-before' | 'drop-after' | 'rate-limit' | 'error' | 'error-after' | 'delay', ms?: number): Weather =>
  ({ network }) =>
    network.fault({ fault: name, skip: Math.floor(Math.random() * 4), ...(ms ? { ms } : {}) })

/** Nobody asks for the purchase: the network's word alone makes it a sale, in whatever order and how often it comes. */
async function byWebhookAlone(many: number, copies: number): Promise<Result> {
  const shop = await openShop()
  const before = await soldSoFar(shop)
  const paid: string[] = []
  for (let round = 0; round < many; round++) {
    shop.network.webhooks({ mode: (['shuffled', 'duplicate', 'late', 'normal'] as const)[round % 4] ?? 'normal', ms: 300 })
    const { body } = await register(shop.agent, { paymentGatewayUUID: shop.agent.gateway('StripeV2') })
    if (round % 3 === 0) await pay(shop.network, body.data.clientSecret, 'pm_card_visa_chargeDeclined')
    await pay(shop.network, body.data.clientSecret)
    paid.push(body.data.policyUuid)
  }
  await shop.network.idle()
  await shop.node().ask('drain')
  const rows = await shop.sql(`select id, number from policies where status = 'purchased' and id = any($1)`, [paid])
  const sales = rows.map(({ id, number }) => ({ policyUuid: String(id), number: String(number) }))
  const sold: Sold = {
    sales,
    cut: 0,
    putOff: 0,
    slowestMs: 0,
    faults: rows.length === paid.length ? [] : [`${paid.length - rows.length} paid, not sold`],
  }
  const faults = [...(await faultsOf(shop, sold, before)), ...(await moneyAstray(shop))]
  const { webhooks } = shop.network.counters()
  await shop.stop()
  return { counts: { paid: many, 'modes of delivery': copies, sold: rows.length, 'webhooks taken': webhooks.taken }, faults }
}

/** For an hour the network is not there: nobody is told that he has bought, and in the end every card that paid is a sale or is refunded. */
async function downForAnHour(many: number): Promise<Result> {
  const shop = await openShop()
  const before = await soldSoFar(shop)
  const policies: string[] = []
  shop.network.webhooks({ mode: 'lost' })
  for (let round = 0; round < many; round++) {
    const { body } = await register(shop.agent, { paymentGatewayUUID: shop.agent.gateway('StripeV2') })
    await pay(shop.network, body.data.clientSecret)
    policies.push(body.data.policyUuid)
  }
  shop.network.fault({ fault: 'drop-before', times: 1_000_000 })
  const paymentGatewayUUID = shop.agent.gateway('StripeV2')
  const refused = await register(shop.agent, { paymentGatewayUUID })
  for (let minute = 1; minute <= 60; minute += 5) {
    await shop.node().ask('clock', minute * 60_000)
    await shop.node().ask('reconcile')
  }
  shop.network.clearFaults()
  await shop.node().ask('clock', 75 * 60_000)
  await shop.node().ask('reconcile')
  const rows = await shop.sql(`select id, number from policies where status = 'purchased' and id = any($1)`, [policies])
  const sales = rows.map(({ id, number }) => ({ policyUuid: String(id), number: String(number) }))
  await clearUp(shop)
  const told = refused.status === 503 ? [] : [`a buyer was told ${refused.status} meanwhile`]
  const late = rows.length === many ? [] : [`${many - rows.length} of ${many} were not sold when the network was back for fifteen minutes`]
  const faults = [
    ...told,
    ...late,
    ...(await faultsOf(shop, { sales, cut: 0, putOff: 0, slowestMs: 0, faults: [] }, before)),
    ...(await moneyAstray(shop)),
  ]
  await shop.stop()
  return { counts: { paid: many, 'sold by the reconciler': rows.length }, faults }
}

const weathers: [id: string, title: string, weather: Weather][] = [
  ['provider-slow', 'the card network answers after two seconds', fault('delay', 2_000)],
  [
    'provider-lost',
    'answers of the card network are lost, before or after it acted',
    shop => [fault('drop-before')(shop), fault('drop-after')(shop)].at(-1),
  ],
  ['provider-429', 'the card network says: too many', fault('rate-limit')],
  ['provider-500', 'the card network fails, having done nothing or all', shop => [fault('error')(shop), fault('error-after')(shop)].at(-1)],
]

export const provider: Drill[] = [
  ...weathers.map(([id, title, weather]): Drill => ({ id, title, invariant, run: rounds => inWeather(weather, rounds(100)) })),
  {
    id: 'webhook-shuffled',
    title: 'news of the card network late, twice, in reverse; and nobody comes back from paying',
    invariant,
    run: rounds => byWebhookAlone(rounds(100), 4),
  },
  { id: 'provider-down', title: 'the card network is away for an hour', invariant, run: rounds => downForAnHour(rounds(20)) },
]
