import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result } from './fault-test.ts'
import { purchase, register, type Reply } from '#testing/agent.ts'
import { findProblems, nothingSold, unmatchedPayments, pay, countSold } from './harness/sellers.ts'
import { openDeployment } from './harness/deployment.ts'

/** Buys the same quote fifty times at once, each with its own idempotency key: one policy, number and payment, and equal responses. */
async function buyFiftyTimes(card: boolean, many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
  const sold = nothingSold()
  for (let round = 0; round < many; round++) {
    const paymentGatewayUUID = deployment.agent.gateway(card ? 'StripeV2' : 'Deferred')
    const budget = await register(deployment.agent, { saveBudget: true, paymentGatewayUUID })
    const { body } = card ? await register(deployment.agent, { policyUuid: budget.body.data.policyUuid, paymentGatewayUUID }) : budget
    const { purchaseUUID, policyUuid, clientSecret } = body.data
    if (card) await pay(deployment.network, clientSecret)
    const replies = await Promise.all(Array.from({ length: 50 }, () => purchase(deployment.agent, { purchaseUUID, paymentGatewayUUID })))
    const refused = replies.filter(({ status }) => status !== 200)
    if (refused.length > 0) sold.problems.push(`${refused.length} of 50 got ${refused[0]?.status} ${refused[0]?.text.slice(0, 120)}`)
    const statuses = new Set(replies.filter(({ status }) => status === 200).map(({ body: reply }) => JSON.stringify(reply.data)))
    if (statuses.size !== 1) sold.problems.push(`${statuses.size} different responses`)
    sold.sales.push({ policyUuid, number: replies[0]?.body?.data?.policyData?.policyNumber })
  }
  const problems = [...(await findProblems(deployment, sold, before)), ...(await unmatchedPayments(deployment))]
  await deployment.stop()
  return { counts: { budgets: many, purchases: many * 50, sold: sold.sales.length }, problems }
}

/** Deletes a quote while it is bought. */
async function deleteWhileBuying(many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
  const sold = nothingSold()
  const counts = { rounds: many, sold: 0, deleted: 0 }
  const one = async () => {
    const { body } = await register(deployment.agent, { saveBudget: true })
    const { purchaseUUID, policyUuid } = body.data
    const actions = [
      () => purchase(deployment.agent, { purchaseUUID }),
      // Deleting is faster, so the purchase sometimes gets a head start.
      () => delay(random(0, 60)).then(() => deployment.agent.ask('/api/policy', { method: 'DELETE', body: { policyUuid } })),
    ]
    if (random(0, 1) < 0.5) actions.reverse()
    // Safe: there are two actions.
    const replies = (await Promise.all(actions.map(action => action()))) as [Reply, Reply]
    const bought = replies.find(({ status, body: reply }) => status === 200 && reply.data.policyData)
    const deleted = replies.some(({ status, body: reply }) => status === 200 && reply.data.deleted)
    const statuses = replies.map(({ status }) => status).join(', ')
    if (Boolean(bought) === deleted) sold.problems.push(`both or neither succeeded: ${statuses}`)
    // The later request must be rejected. A 500 would mean that the row changed under it.
    if (replies.some(({ status }) => status >= 500)) sold.problems.push(`the later request got a 500: ${statuses}`)
    if (bought) sold.sales.push({ policyUuid, number: bought.body.data.policyData.policyNumber })
    counts[bought ? 'sold' : 'deleted'] += 1
  }
  for (let done = 0; done < many; done += 10) await Promise.all(Array.from({ length: Math.min(10, many - done) }, one))
  const problems = await findProblems(deployment, sold, before)
  await deployment.stop()
  return { counts, problems }
}

const oneSale = 'one policy, one number, one payment or ledger entry, and equal responses'

export const races: FaultTest[] = [
  {
    id: 'budget-x50',
    title: 'fifty concurrent purchases of one quote, on account',
    invariant: oneSale,
    run: rounds => buyFiftyTimes(false, rounds(20)),
  },
  {
    id: 'budget-x50-card',
    title: 'fifty concurrent purchases of one paid card payment',
    invariant: oneSale,
    run: rounds => buyFiftyTimes(true, rounds(20)),
  },
  {
    id: 'delete-purchase',
    title: 'a quote is deleted while it is bought',
    invariant: 'deleted and unpaid, or sold and paid; never both, never neither; the later request is rejected',
    run: rounds => deleteWhileBuying(rounds(1000)),
  },
]
