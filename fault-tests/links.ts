import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ana, type Ask, asker, type Json, leo, purchase, register, type Reply } from '#testing/agent.ts'
import { startService } from '#testing/service.ts'
import { type FaultTest, random, type Result, shuffled } from './fault-test.ts'
import { type Deployment, openDeployment, settingsFor } from './harness/deployment.ts'
import { drill, hourLater, insist, killDuring, once, post, reconcileAt, setClock } from './harness/drill.ts'
import { authenticate, pay, unmatchedPayments } from './harness/sellers.ts'

// Each client has an address of its own, so that the limit of one is not met by chance.
const behindProxy = { TRUST_PROXY: '1' }
let clients = 0

/** A link of saved quotes, and its client. */
type Link = { token: string; quotes: string[]; ask: (path: string, body?: Json, ask?: Ask) => Promise<Reply> }

/** Saves quotes, which lack the second document's number, and makes their link. */
async function share(deployment: Deployment, users: Json[], many = 1): Promise<Link> {
  const quotes: string[] = []
  for (let index = 0; index < many; index++) {
    const { body } = await register(deployment.agent, {
      saveBudget: true,
      buReference: `Q${index}`,
      ...(users.length > 0 ? { users } : {}),
    })
    quotes.push(body.data.policyUuid)
  }
  const [policyUuid, ...alternatives] = quotes
  const { body } = await post(deployment, 'quote-link', { policyUuid, alternatives })
  const token: string = body.data.url.split('#')[1]
  clients += 1
  const headers = { 'x-forwarded-for': `10.9.${Math.floor(clients / 250)}.${clients % 250}` }
  return {
    token,
    quotes,
    ask: (path, more = {}, ask = deployment.ask) => ask(`/api/client/${path}`, { body: { token, ...more }, headers }),
  }
}

const declared = ({ files }: Json) => ({ needs: true, files: files.map(({ uuid }: Json) => uuid), beginNow: null })
const payment = (quote: Json, paymentIntentClientSecret: string | null = null) => ({
  policyUuid: quote.policyUuid,
  version: quote.version,
  expectedTotal: quote.price.total,
  declared: declared(quote),
  paymentIntentClientSecret,
})
const quoteIn = async ({ ask }: Link, index = 0): Promise<Json> => (await insist(() => ask('quote', {}))).body.data?.quotes[index]

const steps = ['make', 'complete', 'begin', 'paid', 'report', 'decline'] as const

/** Kills the service at each step from the link to the certificate. Every sixth client declines after having begun to pay. */
async function killOnTheWay(deployment: Deployment, say: (problem: string) => void, many: number) {
  const { network } = deployment
  const counts = { clients: many, kills: many, 'requests cut': 0, sold: 0, declined: 0 }
  const users = [ana, { ...leo, docNumber: '' }]
  for (let round = 0; round < many; round++) {
    // Safe: the index is within the list.
    const step = steps[round % steps.length] as (typeof steps)[number]
    const during = async (at: (typeof steps)[number], request: () => Promise<unknown>, mostMs: number) => {
      if (step === at) counts['requests cut'] += await killDuring(deployment, request(), mostMs)
    }
    const link = await share(deployment, users)
    const { quotes, token, ask } = link
    await during('make', () => post(deployment, 'quote-link', { policyUuid: quotes[0] }), 30)
    const open = await quoteIn(link)
    const complete = () =>
      ask('quote/complete', { policyUuid: open.policyUuid, version: open.version, users: [{ position: 1, docNumber: leo.docNumber }] })
    await during('complete', complete, 60)
    await insist(complete)
    const quote = await quoteIn(link)
    const begin = () => ask('quote/pay', payment(quote))
    if (step === 'begin') network.fault({ fault: 'delay', ms: 200, method: 'POST', path: '/v1/payment_intents' })
    await during('begin', begin, 250)
    const begun = await insist(begin)
    const { clientSecret } = begun.body.data ?? {}
    if (!clientSecret) {
      say(`beginning to pay after a kill answered ${begun.text.slice(0, 200)}`)
      continue
    }
    if (step === 'decline') {
      const decline = () => ask('quote/decline', { name: 'Ana' })
      await during('decline', decline, 80)
      const { body, text } = await insist(decline)
      if (body.data?.state !== 'declined') say(`declining after a kill answered ${text.slice(0, 200)}`)
      if ((await pay(network, clientSecret)) === 'succeeded') say(`${quote.policyUuid} was declined, and could be paid`)
      counts.declined += 1
      continue
    }
    await pay(network, clientSecret)
    await during('paid', () => Promise.resolve(), 60)
    const report = () => ask('quote/pay', payment(quote, clientSecret))
    await during('report', report, 80)
    const reported = await insist(report)
    if (reported.body.data?.state !== 'done') say(`paying after a kill answered ${reported.text.slice(0, 200)}`)
    const policy = (await insist(() => ask('policy', {}))).body.data
    const [certificate] = policy?.can.documents ?? []
    const file = await insist(() => ask('file', { fileUuid: certificate?.uuid }))
    if (file.status !== 200) say(`the link ${token.slice(0, 3)}… of ${quote.policyUuid} opened no certificate: ${file.text.slice(0, 100)}`)
    counts.sold += 1
  }
  const intents = network.counters().intents.length
  if (intents !== many) say(`${intents} payments were created for ${many} clients`)
  return counts
}

/** Two devices of one client pay two quotes at 3-D Secure on two nodes, while others decline, edit, sell and revoke. */
async function raceOnTwoNodes(many: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-fault-test-'))
  const environment = { ...behindProxy, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), FILE_STORE: `file:${join(folder, 'files')}` }
  const deployment = await openDeployment({ environment })
  const { network, agent, postgres } = deployment
  const second = await startService({
    program: 'testing/node.ts',
    environment: { ...settingsFor(network), ...environment, DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url() } : {}) },
  })
  const other = asker(() => second.origin)
  const problems: string[] = []
  const counts = { rounds: many, races: 0, 'bought by link': 0, declined: 0, 'sold by the agent': 0, 'asked to retry': 0 }
  for (let round = 0; round < many; round++) {
    const link = await share(deployment, [], 2)
    const shown = (await link.ask('quote')).body.data.quotes
    const [one, two] = link.quotes
    const asks = [deployment.ask, other]
    const check = (what: string, { status, text, headers }: Reply) => {
      if (status === 503 && headers.has('retry-after')) counts['asked to retry'] += 1
      else if (status >= 500) problems.push(`round ${round}: ${what} answered ${status} ${text.slice(0, 120)}`)
    }
    const secrets: string[] = []
    const begin = async (index: number) => {
      const reply = await link.ask('quote/pay', payment(shown[index]), asks[(index + round) % 2])
      check('pay', reply)
      if (reply.body?.data?.clientSecret) secrets.push(reply.body.data.clientSecret)
    }
    const asAgent = (path: string, body: Json) =>
      random(0, 1) < 0.5 ? agent.ask(path, { body }) : other(path, { body, headers: agent.headers })
    const meddling = shuffled([
      async () => check('decline', await link.ask('quote/decline', { name: 'Ana' }, asks[round % 2])),
      async () =>
        check(
          'edit',
          await register({ ...agent, ask: (path, { body } = {}) => asAgent(path, body) }, { saveBudget: true, policyUuid: two }),
        ),
      async () => {
        const registered = await register({ ...agent, ask: (path, { body } = {}) => asAgent(path, body) }, { policyUuid: one })
        check('register', registered)
        const { purchaseUUID } = registered.body?.data ?? {}
        if (purchaseUUID) check('sell', await purchase(agent, { purchaseUUID }))
      },
      async () => check('revoke', await asAgent('/api/policy/quote-link/revoke', { policyUuid: one })),
    ])
    const [first, late] = [meddling[0], meddling[1]]
    await Promise.all([begin(0), begin(1), begin(round % 2), random(0, 1) < 0.4 ? first?.() : undefined])
    const wait = await Promise.all(secrets.map(secret => pay(network, secret, 'pm_card_authenticationRequiredOnSetup')))
    await Promise.all([
      ...secrets.map(async (secret, index) => {
        if (wait[index] === 'requires_action') await authenticate(network, secret, 'approve')
        const quote = shown.find(({ policyUuid }: Json) => policyUuid === link.quotes[index % 2])
        check('report', await link.ask('quote/pay', payment(quote, secret), asks[index % 2]))
      }),
      random(0, 1) < 0.6 ? late?.() : undefined,
    ])
    counts.races += 2
    await network.idle()
    await deployment.node().ask('drain')
    const [left] = await deployment.sql(
      `select (select count(*) from policies join policy_versions version on version.policy_id = policies.id and version.version = policies.sold_version
          join payments on payments.policy_id = policies.id and payments.state = 'settled' and payments.gateway = 'StripeV2'
          where policies.id = any($1::uuid[]) and version.user_id is null)::int as bought,
        (select count(*) from policies where id = any($1::uuid[]) and status = 'purchased')::int as sold,
        (select max(decision) from quote_links link join quote_link_policies own on own.link_id = link.id where own.policy_id = $2) as decision`,
      [link.quotes, one],
    )
    const { bought, sold, decision } = left ?? {}
    if (Number(bought) > 1) problems.push(`round ${round}: one link has bought ${String(bought)} quotes`)
    if (Number(bought) === 1 && decision !== null) problems.push(`round ${round}: a link was answered, and has bought a quote`)
    counts['bought by link'] += Number(bought)
    counts['sold by the agent'] += Number(sold) - Number(bought)
    counts.declined += decision === 'declined' ? 1 : 0
  }
  // The reconciler cancels and refunds what no browser has reported.
  for (const hours of [1, 2, 30]) await reconcileAt(deployment, Date.now() + hours * hourLater)
  await network.idle()
  await deployment.node().ask('drain')
  problems.push(...(await deployment.node().ask('invariants')), ...(await unmatchedPayments(deployment)))
  await setClock(deployment)
  await second.stop()
  await deployment.stop()
  rmSync(folder, { recursive: true, force: true })
  return { counts, problems }
}

export const links: FaultTest[] = [
  {
    id: 'kill-quote-link',
    title: 'kill -9 of the server while a client opens, completes, pays or declines quotes by a link',
    invariant: `a paid quote is sold once with its certificate, a declined one cannot be paid; ${once}`,
    needs: 'PostgreSQL',
    run: drill(killOnTheWay, 200, { environment: behindProxy }),
  },
  {
    id: 'race-quote-link',
    title: 'two quotes of a link are paid at 3-D Secure on two nodes, while others decline, edit, sell and revoke',
    invariant: 'a link buys at most one quote, and none once it is declined; every payment has its sale or is given back',
    needs: 'PostgreSQL',
    run: rounds => raceOnTwoNodes(rounds(140)),
  },
]
