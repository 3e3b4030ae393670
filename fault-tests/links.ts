import { type FaultTest, random } from './fault-test.ts'
import { ana, type Json, leo, register, type Reply } from '#testing/agent.ts'
import type { Deployment } from './harness/deployment.ts'
import { askAsClient, drill, hourLater, insist, killDuring, once, post, refundedOf } from './harness/drill.ts'
import { payBody, tokenIn } from '#testing/quote-link.ts'
import { pay } from './harness/sellers.ts'
import { until } from '#tools/until.ts'

/** The moments of a link at which the service is killed. Its client declines at `decline`, and its agent revokes it at `revoke`. */
const moments = ['link', 'complete', 'begin', 'card', 'report', 'certificate', 'decline', 'revoke'] as const
type Moment = (typeof moments)[number]

/** Kills the service during a request, if this is the round of its moment. */
type Strike = (moment: Moment, request: () => Promise<unknown>, mostMs: number) => Promise<void>
/** A link of one quote in the round of a moment. */
type Walk = { deployment: Deployment; moment: Moment; strike: Strike; policyUuid: string; token: string }
type Outcome = { policyUuid: string; clientSecret: string | undefined; isSold: boolean }

/** Repeats a request until it is carried out, also after a kill. */
async function carryOut({ strike }: Pick<Walk, 'strike'>, moment: Moment, request: () => Promise<Reply>, mostMs: number): Promise<Json> {
  await strike(moment, request, mostMs)
  const { status, body, text } = await insist(request)
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`)
  return body.data
}

const show = async ({ deployment, token }: Walk): Promise<Json> =>
  (await insist(() => askAsClient(deployment, 'quote', { token }))).body.data

/** Saves a quote without the partner's document, and lets its client or agent answer its link. */
async function answerLink(deployment: Deployment, moment: Moment, strike: Strike): Promise<Outcome> {
  const users = [ana, { ...leo, docNumber: '' }]
  const { policyUuid } = (await insist(() => register(deployment.agent, { saveBudget: true, users }))).body.data
  const made = await carryOut({ strike }, 'link', () => post(deployment, 'quote-link', { policyUuid }), 20)
  const walk = { deployment, moment, strike, policyUuid, token: tokenIn(made) }
  await complete(walk)
  return moment === 'revoke' ? revoke(walk) : payOrDecline(walk)
}

async function complete(walk: Walk): Promise<void> {
  const { deployment, token, policyUuid } = walk
  const users = [{ position: 1, docNumber: leo.docNumber }]
  const send = () => askAsClient(deployment, 'quote/complete', { token, policyUuid, version: 1, users })
  await walk.strike('complete', send, 60)
  // The page reads the link again, and sends only what is still missing.
  const [quote] = (await show(walk)).quotes
  if (quote.version === 1) await insist(send)
}

async function revoke({ deployment, strike, policyUuid, token }: Walk): Promise<Outcome> {
  await carryOut({ strike }, 'revoke', () => post(deployment, 'quote-link/revoke', { policyUuid }), 30)
  const { status } = await insist(() => askAsClient(deployment, 'quote', { token }))
  if (status !== 404) throw new Error(`a revoked link answered ${status}`)
  return { policyUuid, clientSecret: undefined, isSold: false }
}

async function payOrDecline(walk: Walk): Promise<Outcome> {
  const { deployment, moment, strike, policyUuid, token } = walk
  const { network } = deployment
  const [quote] = (await show(walk)).quotes
  network.fault({ fault: 'delay', ms: 200, method: 'POST', path: '/v1/payment_intents' })
  const { clientSecret } = await carryOut(walk, 'begin', () => askAsClient(deployment, 'quote/pay', payBody(token, quote)), 250)
  // Without the network's events, the report alone sells.
  network.webhooks({ mode: random(0, 1) < 0.5 ? 'lost' : 'normal' })
  const isSold = moment !== 'decline' || random(0, 1) < 0.5
  if (isSold) {
    const paying = pay(network, clientSecret)
    await strike('card', () => paying, 100)
    await paying
  }
  network.fault({ fault: 'delay', ms: 200, path: `/v1/payment_intents/*${moment === 'decline' ? '/cancel' : ''}` })
  const { state } =
    moment === 'decline'
      ? await carryOut(walk, 'decline', () => askAsClient(deployment, 'quote/decline', { name: 'Ana', token }), 250)
      : await carryOut(
          walk,
          'report',
          () => askAsClient(deployment, 'quote/pay', payBody(token, quote, { paymentIntentClientSecret: clientSecret })),
          250,
        )
  await strike('certificate', () => Promise.resolve(), 1500)
  const { decision, quotes } = await show(walk)
  const states = [state, decision, quotes[0].state].join(', ')
  if (states !== (isSold ? 'done, bought, bought' : 'declined, declined, open')) throw new Error(`answered and shown: ${states}`)
  network.webhooks({ mode: 'normal' })
  network.clearFaults()
  return { policyUuid, clientSecret, isSold }
}

/** Kills the service while a client completes, pays or declines a quote by its link. */
async function killOnTheWay(deployment: Deployment, say: (problem: string) => void, many: number) {
  const counts = { rounds: many, kills: 0, 'requests cut': 0, sold: 0, declined: 0, revoked: 0 }
  const outcomes: Outcome[] = []
  for (let round = 0; round < many; round++) {
    // Safe: the index is within the list.
    const due = moments[round % moments.length] as Moment
    const strike: Strike = async (moment, request, mostMs) => {
      if (moment !== due) return
      counts.kills += 1
      counts['requests cut'] += await killDuring(deployment, request(), mostMs)
    }
    const outcome = await answerLink(deployment, due, strike).catch((error: unknown) => {
      say(`${due}: ${String(error)}`)
    })
    if (!outcome) continue
    outcomes.push(outcome)
    counts[outcome.isSold ? 'sold' : due === 'revoke' ? 'revoked' : 'declined'] += 1
    await deployment.node().ask('drain')
  }
  // A job whose worker was killed continues after its lease.
  await deployment.node().ask('clock', hourLater)
  for (const outcome of outcomes) await expectEnd(deployment, say, outcome)
  const begun = outcomes.filter(({ clientSecret }) => clientSecret).length
  const intents = deployment.network.counters().intents.length
  if (intents !== begun) say(`${intents} payments were created for ${begun} quotes`)
  return counts
}

/** Reports a quote that is not sold once with its money and documents, or that keeps money though it was not sold. */
async function expectEnd(deployment: Deployment, say: (problem: string) => void, { policyUuid, clientSecret, isSold }: Outcome) {
  const look = async (): Promise<Record<string, unknown> | undefined> => {
    await deployment.node().ask('drain')
    const [row] = await deployment.sql(
      `select status, version, (select count(*)::int from payments where policy_id = policies.id and state = 'settled') as kept,
        (select count(*)::int from policy_history where policy_id = policies.id and what = 'purchased') as sales,
        (select count(*)::int from mails where about = policies.id and template = 'policy_purchased') as mails,
        (select count(*)::int from files where policy_id = policies.id and kind = 'certificate' and state = 'ready') as certificates
      from policies where id = $1`,
      [policyUuid],
    )
    return row && (!isSold || row['certificates']) ? row : undefined
  }
  const row = await until(`the certificate of ${policyUuid}`, look)
  const times = isSold ? 1 : 0
  const expected = {
    status: isSold ? 'purchased' : 'budgeted',
    version: clientSecret ? 3 : 2,
    kept: times,
    sales: times,
    mails: times,
    certificates: times,
  }
  for (const [name, value] of Object.entries(expected))
    if (row[name] !== value) say(`${policyUuid} of ${isSold ? 'a sale' : 'no sale'}: ${name} is ${String(row[name])}`)
  if (!clientSecret) return
  const intent = deployment.network.counters().intents.find(({ id }) => clientSecret.startsWith(id))
  const end = `${intent?.status}, ${intent?.charges} charges, ${refundedOf(deployment, { clientSecret })} given back`
  if (end !== `${isSold ? 'succeeded' : 'canceled'}, ${times} charges, 0 given back`) say(`the payment of ${policyUuid} is ${end}`)
}

export const links: FaultTest[] = [
  {
    id: 'kill-quote-link',
    title: 'kill -9 of the server while a client completes, pays or declines a quote by its link',
    invariant: `a paid quote is sold once, with one payment and one certificate, and a declined or revoked one keeps no money; ${once}`,
    needs: 'PostgreSQL',
    run: drill(killOnTheWay, 40),
  },
]
