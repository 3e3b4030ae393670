import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { playSequences } from '#common/changes/sequences/testing.ts'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { reach } from '#common/policies/testing.ts'
import { type FaultTest, random } from './fault-test.ts'
import { type Json, sell } from '#testing/agent.ts'
import type { Deployment } from './harness/deployment.ts'
import {
  cancelling,
  drill,
  hourLater,
  insist,
  once,
  post,
  reconcileAt,
  refundedOf,
  sellByCard,
  setClock,
  versionsOf,
} from './harness/drill.ts'

/** Kills the service at a random moment of a movement, and repeats it: it must happen once. */
async function killDuringMovements(deployment: Deployment, say: (problem: string) => void, many: number) {
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  let cut = 0
  for (let round = 0; round < many; round++) {
    const { policyUuid } = await sell(deployment.agent)
    const settle = { paymentGatewayUUID: deployment.agent.gateway('Deferred') }
    const movements: [string, Json][] = [
      ['change', { policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08, settle }],
      ['change/undo', { policyUuid, version: 2 }],
      ['cancel', cancelling(policyUuid, 3)],
      ['reinstate', { policyUuid, version: 4, expectedCharge: 33.76, settle }],
    ]
    const killed = round % movements.length
    for (const [index, [path, body]] of movements.entries()) {
      const key = randomUUID()
      if (index === killed) {
        const first = post(deployment, path, body, key).then(
          () => 'replied',
          () => 'cut',
        )
        await delay(random(0, 60))
        await deployment.node().kill()
        if ((await first) === 'cut') cut += 1
        await deployment.start()
      }
      const reply = await insist(() => post(deployment, path, body, key))
      if (reply.status !== 200) say(`${path} after a kill answered ${reply.status} ${reply.text.slice(0, 200)}`)
    }
    const versions = (await versionsOf(deployment, policyUuid)).length
    if (versions !== 5) say(`${policyUuid} has ${versions} versions after four movements`)
  }
  return { policies: many, kills: many, 'requests cut': cut }
}

/** Kills the service during a refund at the card network. The network's response is late or lost, or it pays slowly. */
async function killDuringRefunds(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  for (let round = 0; round < many; round++) {
    await setClock(deployment)
    const sale = await sellByCard(deployment)
    await post(deployment, 'cancel', cancelling(sale.policyUuid))
    const fault = (['delay', 'drop-after', 'error-after', undefined] as const)[round % 4]
    if (fault) network.fault({ fault, ms: 100, path: '/v1/refunds' })
    else network.refunds('pending')
    await setClock(deployment, Date.now() + hourLater)
    await delay(random(0, 150))
    await deployment.node().kill()
    network.clearFaults()
    network.refunds('normal')
    await deployment.start()
    for (const minutes of [6, 12, 20, 30]) await reconcileAt(deployment, Date.now() + hourLater + minutes * 60_000)
    await deployment.node().ask('reconcile')
    if (refundedOf(deployment, sale) !== 3376) say(`${refundedOf(deployment, sale)} cents of ${sale.policyUuid} were refunded`)
  }
  await setClock(deployment)
  return { refunds: many, kills: many }
}

/** Lets two agents confirm different steps on the same version at once. */
async function changeTwiceAtOnce(deployment: Deployment, say: (problem: string) => void, many: number) {
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  for (let round = 0; round < many; round++) {
    const { policyUuid } = await sell(deployment.agent)
    const settle = { paymentGatewayUUID: deployment.agent.gateway('Deferred') }
    const longer = { policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08, settle }
    const replies = await Promise.all([
      post(deployment, 'change', longer, randomUUID()),
      post(deployment, round % 2 ? 'cancel' : 'change', round % 2 ? cancelling(policyUuid) : longer, randomUUID()),
    ])
    const errors = replies.map(({ body }) => String(body.error ?? 'done')).toSorted()
    const [won, lost] = [errors.filter(error => error === 'done').length, errors.find(error => error !== 'done')]
    if (won !== 1 || !['change.stale', 'change.cancelled', 'cancel.stale'].includes(String(lost)))
      say(`two at once answered ${errors.join(' and ')}`)
  }
  return { policies: many }
}

/** Files a claim between the preview and the confirmation. */
async function claimMeanwhile(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { agent } = deployment
  const types: Json[] = (await agent.ask('/api/tickets/types')).body.data
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  for (let round = 0; round < many; round++) {
    const { policyUuid, policyData } = await sell(agent)
    const change = { policyUuid, version: 1, change: { endDate: addDays(start, 11) } }
    if ((await post(deployment, 'change/preview', change)).body.data?.possible !== true) say('the change was not possible')
    const body = {
      typeUuid: types.find(({ kind }) => kind === 'claim').uuid,
      policyNumber: policyData.policyNumber,
      incidentDate: '2026-01-15',
      subject: 'A claim',
      description: 'Meanwhile',
      contactEmail: reach.email,
      contactPhone: '+34612345678',
    }
    const filed = await agent.ask('/api/tickets/claims', { body })
    if (filed.status !== 200) say(`the claim was refused: ${filed.text.slice(0, 200)}`)
    const settle = { paymentGatewayUUID: agent.gateway('Deferred') }
    for (const [path, asked, code] of [
      ['change', { ...change, expectedDifference: 17.08, settle }, 'change.claimed'],
      ['cancel', cancelling(policyUuid), 'cancel.claimed'],
    ] as const) {
      const { error } = (await post(deployment, path, asked)).body
      if (error !== code) say(`${path} after a claim answered ${error}`)
    }
  }
  return { claims: many }
}

/** The network refuses a refund at once, or fails it after the policy is back in force. Its events come twice. */
async function refuseRefunds(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  network.webhooks({ mode: 'duplicate' })
  for (let round = 0; round < many; round++) {
    await setClock(deployment)
    network.refunds(round % 2 ? 'normal' : 'refused')
    const sale = await sellByCard(deployment)
    const { policyUuid } = sale
    await post(deployment, 'cancel', cancelling(policyUuid))
    await reconcileAt(deployment, Date.now() + hourLater)
    const settle = { paymentGatewayUUID: deployment.agent.gateway('Deferred') }
    const back = await post(deployment, 'reinstate', { policyUuid, version: 2, expectedCharge: 33.76, settle })
    if (back.status !== 200) say(`not reinstated: ${back.text.slice(0, 200)}`)
    if (round % 2) network.failRefunds()
    await network.idle()
    await deployment.node().ask('drain')
    const reviews = await deployment.sql(
      'select reason from payment_reviews join payments on payments.id = payment_reviews.payment_id where payments.policy_id = $1',
      [policyUuid],
    )
    if (reviews.length !== 1 || reviews[0]?.['reason'] !== 'refund_refused') say(`${policyUuid} has the reviews ${JSON.stringify(reviews)}`)
  }
  network.refunds('normal')
  await setClock(deployment)
  return { refunds: many }
}

/** Tests the last millisecond before departure and the first one of its day. Some nights have a clock change. */
async function crossMidnights(deployment: Deployment, say: (problem: string) => void) {
  const days = ['2026-12-01', '2027-03-28', '2027-03-29', '2027-04-30', '2027-10-31', '2027-11-01']
  for (const startDate of days) {
    await setClock(deployment, Date.parse(`${addDays(startDate, -6)}T10:00:00Z`))
    const { policyUuid } = await sell(deployment.agent, { startDate, endDate: addDays(startDate, 7) })
    const midnight = startOfDay(startDate, 'Europe/Madrid')
    for (const [at, error] of [
      [midnight, 'cancel.started'],
      [midnight - 1, undefined],
    ] as const) {
      await setClock(deployment, at)
      const reply = await post(deployment, 'cancel', cancelling(policyUuid))
      if (reply.body.error !== error) say(`${startDate}, ${at - midnight} ms after midnight: ${reply.text.slice(0, 150)}`)
    }
  }
  await setClock(deployment)
  return { nights: days.length }
}

export const changes: FaultTest[] = [
  {
    id: 'movement-sequences',
    title: 'sequences of movements, refunds and time, chosen by a seed (rules alone)',
    invariant: 'money in is money charged, whatever came before; a failing seed is printed and reproducible',
    run: (rounds, seed) => Promise.resolve({ counts: playSequences(seed, rounds(20_000)), problems: [] }),
  },
  {
    id: 'kill-movement',
    title: 'kill -9 of the server during changes, undoing, cancellations and reinstatements',
    invariant: once,
    needs: 'PostgreSQL',
    run: drill(killDuringMovements, 40),
  },
  {
    id: 'kill-refund',
    title: 'kill -9 of the server while a refund is under way at the card network',
    invariant: `${once}; every refund leaves exactly once`,
    needs: 'PostgreSQL',
    run: drill(killDuringRefunds, 30),
  },
  {
    id: 'change-x2',
    title: 'two agents change or cancel one policy at once',
    invariant: `one of them succeeds and the other finds a newer version; ${once}`,
    run: drill(changeTwiceAtOnce, 100),
  },
  {
    id: 'claim-meanwhile',
    title: 'a claim is filed between preview and confirmation',
    invariant: 'neither the change nor the cancellation is made, and nothing moves',
    run: drill(claimMeanwhile, 20),
  },
  {
    id: 'refund-refused',
    title: 'refunds are refused, or fail after a reinstatement; events come twice',
    invariant: 'each is on the review list once, and every check of sales and movements holds',
    run: drill(refuseRefunds, 20),
  },
  {
    id: 'midnight',
    title: 'cancellations a millisecond before and at midnight, also when clocks change',
    invariant: 'the day is that of the agency’s time zone: everything comes back before it, nothing in it',
    run: drill(crossMidnights, 1),
  },
]
