import { randomUUID } from 'node:crypto'
import { addDays, today } from '#common/kit/dates.ts'
import type { FaultTest } from './fault-test.ts'
import { sell } from '#testing/agent.ts'
import type { Deployment } from './harness/deployment.ts'
import { askAsClient, drill, insist, killDuring, once, post, refundedOf, sellByCard, versionsOf } from './harness/drill.ts'
import { pay } from './harness/sellers.ts'
import { until } from '#tools/until.ts'

const email = 'ana@example.es'

/** Returns the token of the newest link about a policy, once its email is sent. A job interrupted by a kill continues after its lease. */
async function tokenOf(deployment: Deployment, policyUuid: string, template: string): Promise<string> {
  const look = async () => {
    await deployment.node().ask('drain')
    const [mail] = await deployment.sql('select text_body from mails where about = $1 and template = $2 order by id desc limit 1', [
      policyUuid,
      template,
    ])
    return /\/my-policy#([\w-]{22})$/m.exec(String(mail?.['text_body']))?.[1]
  }
  return until(`a link about ${policyUuid}`, look, 400_000)
}

/**
 * Kills the service while a change is offered and while the offer is open. Also while the client begins to pay, and while the payment is reported.
 */
async function killWhileOffered(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  const change = { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }
  let cut = 0
  for (let round = 0; round < many; round++) {
    const { policyUuid } = await sellByCard(deployment)
    const key = randomUUID()
    const body = { policyUuid, version: 1, change, expectedDifference: 17.08, settle: { offer: { email } } }
    const offer = () => post(deployment, 'change', body, key)
    if (round % 4 === 0) cut += await killDuring(deployment, offer(), 60)
    const offered = await insist(offer)
    if (offered.body.data?.state !== 'offered') {
      say(`offering after a kill answered ${offered.text.slice(0, 200)}`)
      continue
    }
    const { changeUuid } = offered.body.data
    if (round % 4 === 1) cut += await killDuring(deployment, Promise.resolve(), 60)
    if ((await versionsOf(deployment, policyUuid)).length !== 1) say(`${policyUuid} was changed by an offer alone`)
    const token = await tokenOf(deployment, policyUuid, 'change_offered')
    const begin = () => askAsClient(deployment, 'change/pay', { token, changeUuid })
    if (round % 4 === 2) {
      network.fault({ fault: 'delay', ms: 200, method: 'POST', path: '/v1/payment_intents' })
      cut += await killDuring(deployment, begin(), 200)
    }
    const begun = await insist(begin)
    const { clientSecret } = begun.body.data ?? {}
    if (!clientSecret) {
      say(`beginning to pay after a kill answered ${begun.text.slice(0, 200)}`)
      continue
    }
    await pay(network, clientSecret)
    const report = () => askAsClient(deployment, 'change/pay', { token, changeUuid, paymentIntentClientSecret: clientSecret })
    if (round % 4 === 3) cut += await killDuring(deployment, report(), 60)
    const reported = await insist(report)
    if (reported.body.data?.state !== 'done') say(`paying after a kill answered ${reported.text.slice(0, 200)}`)
    if ((await versionsOf(deployment, policyUuid)).length !== 2) say(`${policyUuid} was not changed once`)
    if (refundedOf(deployment, { clientSecret }) !== 0) say(`the change of ${policyUuid} was given back`)
  }
  const intents = network.counters().intents.length
  if (intents !== 2 * many) say(`${intents} payments were created for ${many} sales and as many offers`)
  return { offers: many, kills: many, 'requests cut': cut }
}

/** Kills the service while a client withdraws. Most kills are between the statement's row and the resulting movement. */
async function killWhileWithdrawing(deployment: Deployment, say: (problem: string) => void, many: number) {
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  const distance = { startDate: start, endDate: addDays(start, 41), channel: 'distance' }
  let cut = 0
  let between = 0
  for (let round = 0; round < many; round++) {
    const { policyUuid } = await sell(deployment.agent, distance)
    const token = await tokenOf(deployment, policyUuid, 'policy_purchased')
    const statement = { token, name: 'Ana García López', confirmTo: email, version: 1 }
    const withdraw = () => askAsClient(deployment, 'withdraw', statement)
    cut += await killDuring(deployment, withdraw(), 80)
    const [left] = await deployment.sql(
      `select (select count(*) from withdrawals where policy_id = $1)::int as statements,
        (select count(*) from policy_deeds where policy_id = $1)::int as deeds`,
      [policyUuid],
    )
    if (Number(left?.['statements']) > Number(left?.['deeds'])) between += 1
    const first = await insist(withdraw)
    if (!first.body.data?.withdrawalUuid) say(`withdrawing after a kill answered ${first.text.slice(0, 200)}`)
    const again = await insist(withdraw)
    if (again.body.data?.receivedAt !== first.body.data?.receivedAt) say(`${policyUuid} got a second receipt`)
    await deployment.node().ask('drain')
    const [ended] = await deployment.sql(
      `select status, ended_kind, (select count(*) from withdrawals where policy_id = policies.id)::int as statements,
        (select count(*) from policy_deeds where policy_id = policies.id and kind = 'withdrawal')::int as deeds,
        (select count(*) from mails where about = policies.id and template = 'withdrawal_received')::int > 0 as receipt
      from policies where id = $1`,
      [policyUuid],
    )
    const expected = { status: 'cancelled', ended_kind: 'withdrawal', statements: 1, deeds: 1, receipt: true }
    for (const [name, value] of Object.entries(expected))
      if (ended?.[name] !== value) say(`${policyUuid}: ${name} is ${String(ended?.[name])}`)
  }
  return { statements: many, kills: many, 'requests cut': cut, 'killed in between': between }
}

export const clients: FaultTest[] = [
  {
    id: 'kill-offer',
    title: 'kill -9 of the server while a change is offered to the client, who then pays it',
    invariant: `an offer changes nothing until it is paid, and then once; ${once}`,
    needs: 'PostgreSQL',
    run: drill(killWhileOffered, 24),
  },
  {
    id: 'kill-withdrawal',
    title: 'kill -9 of the server while a client withdraws, between the statement and its movement',
    invariant: `one statement, one receipt and one withdrawal of each policy; ${once}`,
    needs: 'PostgreSQL',
    run: drill(killWhileWithdrawing, 24),
  },
]
