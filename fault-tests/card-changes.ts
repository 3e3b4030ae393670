import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { addDays, today } from '#common/kit/dates.ts'
import { type FaultTest, random } from './fault-test.ts'
import type { Json } from '#testing/agent.ts'
import type { Deployment } from './harness/deployment.ts'
import { drill, insist, once, post, reconcileAt, refundedOf, sellByCard, setClock, versionsOf } from './harness/drill.ts'
import { authenticate, pay } from './harness/sellers.ts'

/** Four more days, for 17.08. */
const longer = (policyUuid: string) => ({
  policyUuid,
  version: 1,
  change: { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) },
  expectedDifference: 17.08,
})

/** Sells by card, and requests a change that waits for its payment. */
async function openChange(
  deployment: Deployment,
): Promise<{ policyUuid: string; changeUuid: string; clientSecret: string; until: string }> {
  const { policyUuid } = await sellByCard(deployment)
  const { body, text } = await post(deployment, 'change', longer(policyUuid), randomUUID())
  if (body?.data?.state !== 'awaiting_payment') throw new Error(`the change does not wait: ${text.slice(0, 200)}`)
  return { policyUuid, ...body.data }
}

/** Waits for the network's events and everything that follows. */
async function settled({ network, ...deployment }: Deployment): Promise<void> {
  network.release()
  await network.idle()
  await deployment.node().ask('drain')
}

/** Reports a policy with a wrong number of versions, or a change not charged once or not refunded. */
async function expectMade(deployment: Deployment, say: (problem: string) => void, { policyUuid, clientSecret }: Json, made: boolean) {
  const versions = (await versionsOf(deployment, policyUuid)).length
  if (versions !== (made ? 2 : 1)) say(`${policyUuid} has ${versions} versions, and its change was to be ${made ? 'made' : 'given back'}`)
  const back = refundedOf(deployment, { clientSecret })
  if (back !== (made ? 0 : 1708)) say(`${back} cents of the change of ${policyUuid} were given back`)
}

/** Pays by card a second before or after the change expires. Browser or network reports the payment, or neither. */
async function payLate(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  let late = 0
  for (let round = 0; round < many; round++) {
    await setClock(deployment)
    const change = await openChange(deployment)
    const until = Date.parse(change.until)
    const reported = (['network', 'browser', 'none'] as const)[round % 3] ?? 'none'
    const isLate = reported === 'none' || round % 4 !== 3
    network.webhooks({ mode: reported === 'network' ? 'normal' : 'lost' })
    // Setting the clock wakes the reconciler. The network fails to cancel the payment for it, so the card can still be charged.
    network.fault({ fault: 'error', times: 1000, method: 'POST', path: '/v1/payment_intents/*/cancel' })
    await setClock(deployment, isLate ? until + 1000 : until - 1000)
    const status = await pay(network, change.clientSecret)
    network.clearFaults()
    if (status !== 'succeeded') say(`the card was not charged: ${status}`)
    if (reported === 'browser') {
      const { body } = await post(deployment, 'change/pay', { changeUuid: change.changeUuid })
      const outcome = body.error ?? body.data.state
      if (outcome !== (isLate ? 'payment.refunded' : 'done')) say(`the browser got ${outcome}`)
    }
    await settled(deployment)
    // The reconciler refunds a payment that the browser reported late.
    if (isLate && reported !== 'network') await reconcileAt(deployment, until + 10 * 60_000)
    await expectMade(deployment, say, change, !isLate)
    late += isLate ? 1 : 0
  }
  network.webhooks({ mode: 'normal' })
  await setClock(deployment)
  return { payments: many, 'paid late': late }
}

/** Kills the service while a change is requested, before its payment, or while its payment is reported. */
async function killWhileWaiting(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  let cut = 0
  const killDuring = async (request: Promise<unknown>) => {
    const outcome = request.then(
      () => 0,
      () => 1,
    )
    await delay(random(0, 300))
    await deployment.node().kill()
    cut += await outcome
    network.clearFaults()
    await deployment.start()
  }
  for (let round = 0; round < many; round++) {
    const { policyUuid } = await sellByCard(deployment)
    const key = randomUUID()
    const ask = () => post(deployment, 'change', longer(policyUuid), key)
    // The network is slow, so that most kills happen between the writes on either side.
    if (round % 3 === 0) network.fault({ fault: 'delay', ms: 300, method: 'POST', path: '/v1/payment_intents' })
    if (round % 3 === 0) await killDuring(ask())
    const { body, text } = await insist(ask)
    if (body.data?.state !== 'awaiting_payment') {
      say(`asking after a kill answered ${text.slice(0, 200)}`)
      continue
    }
    const { changeUuid, clientSecret } = body.data
    if (round % 3 === 1) await killDuring(Promise.resolve())
    await pay(network, clientSecret)
    const report = () => post(deployment, 'change/pay', { changeUuid })
    if (round % 3 === 2) network.fault({ fault: 'delay', ms: 300, method: 'GET', path: '/v1/payment_intents/*' })
    if (round % 3 === 2) await killDuring(report())
    const reported = await insist(report)
    if (reported.body.data?.state !== 'done') say(`paying after a kill answered ${reported.text.slice(0, 200)}`)
    await expectMade(deployment, say, { policyUuid, clientSecret }, true)
  }
  const intents = network.counters().intents.length
  if (intents !== 2 * many) say(`${intents} payments were created for ${many} sales and as many changes`)
  return { changes: many, kills: many, 'requests cut': cut }
}

/** The browser never returns from the bank. Only the network's events make the change, or it expires unpaid. */
async function loseBrowsers(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  let made = 0
  for (let round = 0; round < many; round++) {
    await setClock(deployment)
    network.webhooks({ mode: 'normal' })
    const change = await openChange(deployment)
    network.webhooks({ mode: (['shuffled', 'duplicate', 'late', 'normal'] as const)[round % 4] ?? 'normal', ms: 300 })
    const asked = await pay(network, change.clientSecret, 'pm_card_authenticationRequiredOnSetup')
    if (asked !== 'requires_action') say(`the bank asked for nothing: ${asked}`)
    const isApproved = round % 5 !== 4
    if (isApproved) await authenticate(network, change.clientSecret, 'approve')
    else await reconcileAt(deployment, Date.parse(change.until) + 1000)
    await settled(deployment)
    if (isApproved) await expectMade(deployment, say, change, true)
    else {
      const intent = network.counters().intents.find(({ id }) => change.clientSecret.startsWith(id))
      if (intent?.status !== 'canceled' || intent.received !== 0) say(`a payment that was never approved is ${intent?.status}`)
      const { openChange: left } = (await post(deployment, 'change/terms', { policyUuid: change.policyUuid })).body.data
      if (left) say(`${change.policyUuid} still waits for it`)
    }
    made += isApproved ? 1 : 0
  }
  network.webhooks({ mode: 'normal' })
  await setClock(deployment)
  return { changes: many, approved: made }
}

export const cardChanges: FaultTest[] = [
  {
    id: 'late-card',
    title: 'the card of a change is paid a second after it expired, or before',
    invariant: `what is late is given back and the version stays, what is in time is made; ${once}`,
    run: drill(payLate, 40),
  },
  {
    id: 'kill-change',
    title: 'kill -9 of the server while a change waits for its payment',
    invariant: `a repeated request finds its change and payment, which is charged once; ${once}`,
    needs: 'PostgreSQL',
    run: drill(killWhileWaiting, 40),
  },
  {
    id: 'browser-lost',
    title: 'no browser returns from the bank’s authentication of a change',
    invariant: `the network’s events alone make what was approved, in any order; what was not expires; ${once}`,
    run: drill(loseBrowsers, 40),
  },
]
