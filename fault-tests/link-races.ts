import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result, shuffled } from './fault-test.ts'
import { type Agent, type Ask, asker, type Json, purchase, register, type Reply } from '#testing/agent.ts'
import { type Service, startService } from '#testing/service.ts'
import { type Deployment, openDeployment, settingsFor } from './harness/deployment.ts'
import { hourLater } from './harness/drill.ts'
import { payBody, tokenIn } from '#testing/quote-link.ts'
import { authenticate, pay, unmatchedPayments } from './harness/sellers.ts'

/** A node, as the client and as the agent ask it. */
type Node = { client: (path: string, body: Json) => Promise<Reply>; agent: Agent }

/** A link of two quotes, and what its client and its agent were answered. */
type Race = {
  network: Deployment['network']
  token: string
  quotes: string[]
  replies: Reply[]
  asked: Set<number>
  declined: string | undefined
  done: boolean
  soldByAgent: Set<string>
}

/** As behind a proxy, so that each request of a client is of a network of its own and meets no limit. */
const environment = { TRUST_PROXY: 'true' }
let networks = 0

const nodeAt = (ask: Ask, agent: Agent): Node => ({
  client: (path, body) => {
    networks += 1
    const address = [10, networks >> 16, (networks >> 8) & 255, networks & 255].join('.')
    return ask(`/api/client/${path}`, { body, headers: { 'x-forwarded-for': address } })
  },
  agent: { ...agent, ask: (path, request = {}) => ask(path, { ...request, headers: { ...agent.headers, ...request.headers } }) },
})

async function share({ agent }: Node, network: Deployment['network']): Promise<Race> {
  const quotes: string[] = []
  for (const buReference of ['A', 'B']) quotes.push((await register(agent, { saveBudget: true, buReference })).body.data.policyUuid)
  const [policyUuid, other] = quotes
  const { body } = await agent.ask('/api/policy/quote-link', { body: { policyUuid, alternatives: [other] } })
  const token = tokenIn(body.data)
  return { network, token, quotes, replies: [], asked: new Set(), declined: undefined, done: false, soldByAgent: new Set() }
}

/** A page that has begun to pay: the quote that it showed, and the payment's secret. */
type Begun = { quote: Json; clientSecret: string }

/** Begins to pay a quote as it is shown, with a card whose bank asks for the cardholder's approval. */
async function begin(race: Race, { client }: Node, index: number): Promise<Begun | undefined> {
  const { token, replies, network } = race
  const shown = await client('quote', { token })
  const quote = shown.body?.data?.quotes[index]
  const begun = quote && (await client('quote/pay', payBody(token, quote)))
  replies.push(shown, ...(begun ? [begun] : []))
  const clientSecret = begun?.body?.data?.clientSecret
  if (!clientSecret) return undefined
  const status = await pay(network, clientSecret, 'pm_card_authenticationRequiredOnSetup')
  if (status === 'requires_action') race.asked.add(index)
  return { quote, clientSecret }
}

/** Approves a payment at the bank, and reports it. */
async function approve(race: Race, { client }: Node, { quote, clientSecret }: Begun): Promise<void> {
  await authenticate(race.network, clientSecret, 'approve')
  const reported = await client('quote/pay', payBody(race.token, quote, { paymentIntentClientSecret: clientSecret }))
  race.replies.push(reported)
  if (reported.body?.data?.state === 'done') race.done = true
}

async function payWhole(race: Race, node: Node, index: number): Promise<void> {
  const begun = await begin(race, node, index)
  if (begun) await approve(race, node, begun)
}

async function decline(race: Race, { client }: Node): Promise<void> {
  const reply = await client('quote/decline', { name: 'Ana', token: race.token })
  race.replies.push(reply)
  race.declined = reply.body?.data?.state
}

const edit = async ({ replies }: Race, { agent }: Node, policyUuid: string | undefined) =>
  replies.push(await register(agent, { saveBudget: true, policyUuid, buReference: 'edited' }))

/** Sells a quote as the agency does, on account or by the card of a client at its counter. */
async function sellAtCounter(race: Race, { agent }: Node, policyUuid: string | undefined, byCard: boolean): Promise<void> {
  const paymentGatewayUUID = agent.gateway(byCard ? 'StripeV2' : 'Deferred')
  const registered = await register(agent, { policyUuid, paymentGatewayUUID })
  race.replies.push(registered)
  const { purchaseUUID, clientSecret } = registered.body?.data ?? {}
  if (!purchaseUUID) return
  if (clientSecret) await pay(race.network, clientSecret)
  const bought = await purchase(agent, { purchaseUUID, paymentGatewayUUID })
  race.replies.push(bought)
  if (bought.body?.data?.policyData) race.soldByAgent.add(bought.body.data.policyData.policyUuid)
}

/** Lets the client pay both quotes and decline while the agent edits and sells them, in a random order on both nodes. */
async function run(race: Race, nodes: readonly [Node, Node]): Promise<void> {
  const chance = (share: number) => random(0, 1) < share
  const anyNode = () => nodes[chance(0.5) ? 0 : 1]
  const first = chance(0.5) ? 0 : 1
  // Mostly one quote already waits for the bank, or one after the other did, when all else begins.
  const waiting = [chance(0.7) ? await begin(race, anyNode(), first) : undefined]
  waiting.push(waiting[0] && chance(0.5) ? await begin(race, anyNode(), 1 - first) : undefined)
  const byCard = chance(0.3)
  const [edited, sold] = [race.quotes[chance(0.5) ? 0 : 1], race.quotes[chance(0.5) ? 0 : 1]]
  const actions: ((node: Node) => Promise<unknown>)[] = [
    ...waiting.map(
      (begun, turn) => (node: Node) => (begun ? approve(race, node, begun) : payWhole(race, node, turn === 0 ? first : 1 - first)),
    ),
    ...(waiting[1] ? [(node: Node) => payWhole(race, node, first)] : []),
    ...(chance(0.7) ? [(node: Node) => decline(race, node)] : []),
    ...(chance(0.7) ? [(node: Node) => edit(race, node, edited)] : []),
    ...(chance(0.7) ? [(node: Node) => sellAtCounter(race, node, sold, byCard)] : []),
  ]
  // A moment's wait lets each of them be in the midst of its work when another one comes.
  const plan = shuffled(actions).map(action => ({ action, node: anyNode(), waitMs: random(0, 250) }))
  await Promise.all(plan.map(({ action, node, waitMs }) => delay(waitMs).then(() => action(node))))
}

/** Compares what the link says with what was sold. Returns who has bought. */
async function check(race: Race, deployment: Deployment, { client }: Node, say: (problem: string) => void) {
  const { token, quotes, replies, declined, done, soldByAgent } = race
  for (const { status, text } of replies) if (status >= 500) say(`a response was ${status} ${text.slice(0, 200)}`)
  const rows = await deployment.sql(
    `select policies.id, status, user_id is null as by_client from policies
      left join policy_versions sold on sold.policy_id = policies.id and sold.version = policies.sold_version where policies.id = any($1)`,
    [quotes],
  )
  const sold = new Map(rows.filter(({ status }) => status === 'purchased').map(({ id, by_client: byClient }) => [String(id), byClient]))
  const bought = [...sold].filter(([, byClient]) => byClient).map(([id]) => id)
  const { data } = (await client('quote', { token })).body
  // A sale on account that the agent has registered and not completed stays open.
  const pending = new Set(rows.filter(({ status }) => status === 'pending').map(({ id }) => String(id)))
  const unsold = (id: string) => (sold.size > 0 ? 'other_quote' : pending.has(id) ? 'paying' : 'open')
  const expected = quotes.map(id => (bought.includes(id) ? 'bought' : sold.has(id) ? 'taken_out' : unsold(id)))
  const states = data.quotes.map(({ state }: Json) => state)
  if (bought.length > 1) say(`a client bought both quotes of a link: ${bought.join(', ')}`)
  if (String(states) !== String(expected)) say(`${quotes.join(', ')} are shown as ${states}, and are ${expected.join(', ')}`)
  if ((data.decision === 'bought') !== bought.length > 0) say(`${quotes.join(', ')}: the decision is ${data.decision}`)
  if (declined === 'declined' && data.decision !== 'declined') say(`${quotes.join(', ')}: a declined link says ${data.decision}`)
  if ((done || declined === 'done') && bought.length === 0) say(`${quotes.join(', ')}: done, and nothing was bought`)
  for (const id of soldByAgent) if (sold.get(id) !== false) say(`${id} was sold by the agent, and is not`)
  return { bought: bought.length, byAgent: sold.size - bought.length, decision: data.decision }
}

/** Gives up what was never paid, as the reconciler does after a day. */
async function settleAll(deployment: Deployment): Promise<void> {
  const { network } = deployment
  await network.idle()
  await deployment.node().ask('drain')
  for (const hours of [25, 26, 27]) {
    await deployment.node().ask('clock', hours * hourLater)
    await deployment.node().ask('reconcile')
    await network.idle()
    await deployment.node().ask('drain')
  }
  await deployment.node().ask('clock', 0)
}

async function raceOnTwoNodes(many: number): Promise<Result> {
  const deployment = await openDeployment({ environment })
  const { network, postgres, folder } = deployment
  const settings = { ...settingsFor(network), ...environment, DATA_DIR: folder, DATABASE_URL: postgres?.url() ?? '' }
  const second: Service = await startService({ program: 'testing/node.ts', environment: settings })
  const asks = [deployment.ask, asker(() => second.origin)] as const
  const nodes = [nodeAt(asks[0], deployment.agent), nodeAt(asks[1], deployment.agent)] as const
  const races: Race[] = []
  for (let round = 0; round < many; round++) {
    const race = await share(nodes[round % 2 === 0 ? 0 : 1], network)
    await run(race, nodes)
    races.push(race)
  }
  await settleAll(deployment)
  const problems: string[] = []
  const counts = {
    rounds: many,
    responses: 0,
    'both at 3-D Secure': 0,
    'sold to clients': 0,
    'sold by agents': 0,
    declined: 0,
    'given back': 0,
  }
  for (const race of races) {
    const { bought, byAgent, decision } = await check(race, deployment, nodes[1], problem => problems.push(problem))
    counts.responses += race.replies.length
    counts['both at 3-D Secure'] += race.asked.size === 2 ? 1 : 0
    counts['sold to clients'] += bought
    counts['sold by agents'] += byAgent
    counts.declined += decision === 'declined' ? 1 : 0
  }
  for (const { id, status, refunded } of network.counters().intents) {
    if (status !== 'succeeded' && status !== 'canceled') problems.push(`${id} is still ${status}`)
    if (refunded > 0) counts['given back'] += 1
  }
  problems.push(...(await deployment.node().ask('invariants')), ...(await unmatchedPayments(deployment)))
  await second.stop()
  await deployment.stop()
  return { counts, problems }
}

export const linkRaces: FaultTest[] = [
  {
    id: 'race-quote-link',
    title: 'a client pays both quotes of a link and declines, while the agent edits and sells them, on two nodes',
    invariant: 'a link sells at most one quote to its client, says what was sold, and each payment is a sale, cancelled or given back',
    needs: 'PostgreSQL',
    run: rounds => raceOnTwoNodes(rounds(40)),
  },
]
