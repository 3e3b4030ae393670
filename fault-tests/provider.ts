import type { FaultTest, Result } from './fault-test.ts'
import { register } from './harness/agent.ts'
import { countsOf, faultsOf, moneyAstray, pay, sellUntil, type Sold, soldSoFar } from './harness/sellers.ts'
import { openDeployment, type Deployment } from './harness/deployment.ts'

const invariant = 'what the card network has taken is one sale of that amount, or is given back, or stands before somebody'

type Weather = (deployment: Deployment) => void | Promise<void>

/** Sellers take cards in that weather; in the end the reconciler comes by, and all must be in order. */
async function inWeather(weather: Weather, many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  let sold: Sold = { sales: [], cut: 0, putOff: 0, slowestMs: 0, faults: [] }
  const blowing = setInterval(() => void weather(deployment), 50)
  await weather(deployment)
  sold = await sellUntil(deployment, 4, ({ sales }) => sales.length >= many, { card: true, patienceMs: 300_000 })
  clearInterval(blowing)
  await clearUp(deployment)
  const faults = [...(await faultsOf(deployment, sold, before)), ...(await moneyAstray(deployment))]
  const { webhooks } = deployment.network.counters()
  await deployment.stop()
  return { counts: { ...countsOf(sold), 'webhooks taken': webhooks.taken, 'webhooks refused': webhooks.refused }, faults }
}

/** The weather is over; the reconciler comes by, as it does every minute, until a day and more has passed. */
async function clearUp(deployment: Deployment): Promise<void> {
  deployment.network.clearFaults()
  deployment.network.webhooks({ mode: 'normal' })
  deployment.network.release()
  await deployment.network.idle()
  for (const hours of [1, 25, 26, 27]) {
    await deployment.node().ask('clock', hours * 3_600_000)
    await deployment.node().ask('drain')
    await deployment.node().ask('reconcile')
  }
  await deployment.network.idle()
  await deployment.node().ask('drain')
  await deployment.node().ask('clock', 0)
}

const fault =
  (name: 'drop-before' | 'drop-after' | 'rate-limit' | 'error' | 'error-after' | 'delay', ms?: number): Weather =>
  ({ network }) =>
    network.fault({ fault: name, skip: Math.floor(Math.random() * 4), ...(ms ? { ms } : {}) })

/** Nobody asks for the purchase: the network's word alone makes it a sale, in whatever order and how often it comes. */
async function byWebhookAlone(many: number, copies: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  const paid: string[] = []
  for (let round = 0; round < many; round++) {
    deployment.network.webhooks({ mode: (['shuffled', 'duplicate', 'late', 'normal'] as const)[round % 4] ?? 'normal', ms: 300 })
    const { body } = await register(deployment.agent, { paymentGatewayUUID: deployment.agent.gateway('StripeV2') })
    if (round % 3 === 0) await pay(deployment.network, body.data.clientSecret, 'pm_card_visa_chargeDeclined')
    await pay(deployment.network, body.data.clientSecret)
    paid.push(body.data.policyUuid)
  }
  await deployment.network.idle()
  await deployment.node().ask('drain')
  const rows = await deployment.sql(`select id, number from policies where status = 'purchased' and id = any($1)`, [paid])
  const sales = rows.map(({ id, number }) => ({ policyUuid: String(id), number: String(number) }))
  const sold: Sold = {
    sales,
    cut: 0,
    putOff: 0,
    slowestMs: 0,
    faults: rows.length === paid.length ? [] : [`${paid.length - rows.length} paid, not sold`],
  }
  const faults = [...(await faultsOf(deployment, sold, before)), ...(await moneyAstray(deployment))]
  const { webhooks } = deployment.network.counters()
  await deployment.stop()
  return { counts: { paid: many, 'modes of delivery': copies, sold: rows.length, 'webhooks taken': webhooks.taken }, faults }
}

/** For an hour the network is not there: nobody is told that he has bought, and in the end every card that paid is a sale or is refunded. */
async function downForAnHour(many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  const policies: string[] = []
  deployment.network.webhooks({ mode: 'lost' })
  for (let round = 0; round < many; round++) {
    const { body } = await register(deployment.agent, { paymentGatewayUUID: deployment.agent.gateway('StripeV2') })
    await pay(deployment.network, body.data.clientSecret)
    policies.push(body.data.policyUuid)
  }
  deployment.network.fault({ fault: 'drop-before', times: 1_000_000 })
  const paymentGatewayUUID = deployment.agent.gateway('StripeV2')
  const refused = await register(deployment.agent, { paymentGatewayUUID })
  for (let minute = 1; minute <= 60; minute += 5) {
    await deployment.node().ask('clock', minute * 60_000)
    await deployment.node().ask('reconcile')
  }
  deployment.network.clearFaults()
  await deployment.node().ask('clock', 75 * 60_000)
  await deployment.node().ask('reconcile')
  const rows = await deployment.sql(`select id, number from policies where status = 'purchased' and id = any($1)`, [policies])
  const sales = rows.map(({ id, number }) => ({ policyUuid: String(id), number: String(number) }))
  await clearUp(deployment)
  const told = refused.status === 503 ? [] : [`a buyer was told ${refused.status} meanwhile`]
  const late = rows.length === many ? [] : [`${many - rows.length} of ${many} were not sold when the network was back for fifteen minutes`]
  const faults = [
    ...told,
    ...late,
    ...(await faultsOf(deployment, { sales, cut: 0, putOff: 0, slowestMs: 0, faults: [] }, before)),
    ...(await moneyAstray(deployment)),
  ]
  await deployment.stop()
  return { counts: { paid: many, 'sold by the reconciler': rows.length }, faults }
}

const weathers: [id: string, title: string, weather: Weather][] = [
  ['provider-slow', 'the card network answers after two seconds', fault('delay', 2_000)],
  [
    'provider-lost',
    'answers of the card network are lost, before or after it acted',
    deployment => [fault('drop-before')(deployment), fault('drop-after')(deployment)].at(-1),
  ],
  ['provider-429', 'the card network says: too many', fault('rate-limit')],
  [
    'provider-500',
    'the card network fails, having done nothing or all',
    deployment => [fault('error')(deployment), fault('error-after')(deployment)].at(-1),
  ],
]

export const provider: FaultTest[] = [
  ...weathers.map(([id, title, weather]): FaultTest => ({ id, title, invariant, run: rounds => inWeather(weather, rounds(100)) })),
  {
    id: 'webhook-shuffled',
    title: 'news of the card network late, twice, in reverse; and nobody comes back from paying',
    invariant,
    run: rounds => byWebhookAlone(rounds(100), 4),
  },
  { id: 'provider-down', title: 'the card network is away for an hour', invariant, run: rounds => downForAnHour(rounds(20)) },
]
