import { type FaultTest, random, type Result } from './fault-test.ts'
import { register } from '#testing/agent.ts'
import { countsOf, findProblems, nothingSold, unmatchedPayments, pay, sellUntil, type Sold, countSold } from './harness/sellers.ts'
import { openDeployment, type Deployment } from './harness/deployment.ts'

const invariant = 'every card payment is one sale of that amount, or is refunded, or is in review'

type NetworkFault = (deployment: Deployment) => void | Promise<void>

/** Sells by card while the network has the fault, then lets the reconciler run. */
async function sellWithFault(inject: NetworkFault, many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
  let sold = nothingSold()
  const injecting = setInterval(() => void inject(deployment), 50)
  await inject(deployment)
  sold = await sellUntil(deployment, 4, ({ sales }) => sales.length >= many, { card: true, timeoutMs: 300_000 })
  clearInterval(injecting)
  await endFaults(deployment)
  const problems = [...(await findProblems(deployment, sold, before)), ...(await unmatchedPayments(deployment))]
  const { webhooks } = deployment.network.counters()
  await deployment.stop()
  return { counts: { ...countsOf(sold), 'webhooks taken': webhooks.taken, 'webhooks refused': webhooks.refused }, problems }
}

/** Ends the faults and runs the reconciler until more than a day later. */
async function endFaults(deployment: Deployment): Promise<void> {
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
  (name: 'drop-before' | 'drop-after' | 'rate-limit' | 'error' | 'error-after' | 'delay', ms?: number): NetworkFault =>
  ({ network }) =>
    network.fault({ fault: name, skip: Math.floor(random(0, 4)), ...(ms ? { ms } : {}) })

/** Pays without requesting the purchase: webhooks alone must complete each sale, in any order and number. */
async function sellByWebhook(many: number, copies: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
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
    deferred: 0,
    slowestMs: 0,
    problems: rows.length === paid.length ? [] : [`${paid.length - rows.length} paid but not sold`],
  }
  const problems = [...(await findProblems(deployment, sold, before)), ...(await unmatchedPayments(deployment))]
  const { webhooks } = deployment.network.counters()
  await deployment.stop()
  return { counts: { paid: many, 'modes of delivery': copies, sold: rows.length, 'webhooks taken': webhooks.taken }, problems }
}

/** Takes the network down for an hour. No sale is confirmed meanwhile; afterwards every payment must be a sale or refunded. */
async function takeDownForAnHour(many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
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
  await endFaults(deployment)
  const wrongStatus = refused.status === 503 ? [] : [`a buyer got ${refused.status} meanwhile`]
  const late = rows.length === many ? [] : [`${many - rows.length} of ${many} were not sold fifteen minutes after the network was back`]
  const problems = [
    ...wrongStatus,
    ...late,
    ...(await findProblems(deployment, { sales, cut: 0, deferred: 0, slowestMs: 0, problems: [] }, before)),
    ...(await unmatchedPayments(deployment)),
  ]
  await deployment.stop()
  return { counts: { paid: many, 'sold by the reconciler': rows.length }, problems }
}

const networkFaults: [id: string, title: string, inject: NetworkFault][] = [
  ['provider-slow', 'the card network responds after two seconds', fault('delay', 2_000)],
  [
    'provider-lost',
    'responses of the card network are lost, before or after it acted',
    deployment => [fault('drop-before')(deployment), fault('drop-after')(deployment)].at(-1),
  ],
  ['provider-429', 'the card network limits the rate', fault('rate-limit')],
  [
    'provider-500',
    'the card network answers 500, before or after it acted',
    deployment => [fault('error')(deployment), fault('error-after')(deployment)].at(-1),
  ],
]

export const cardNetwork: FaultTest[] = [
  ...networkFaults.map(([id, title, inject]): FaultTest => ({ id, title, invariant, run: rounds => sellWithFault(inject, rounds(100)) })),
  {
    id: 'webhook-shuffled',
    title: 'webhooks come late, twice or reordered, and no browser returns after payment',
    invariant,
    run: rounds => sellByWebhook(rounds(100), 4),
  },
  { id: 'provider-down', title: 'the card network is down for an hour', invariant, run: rounds => takeDownForAnHour(rounds(20)) },
]
