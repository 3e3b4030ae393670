import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result } from './fault-test.ts'
import { purchase, register, type Reply } from './harness/agent.ts'
import { faultsOf, moneyAstray, pay, type Sold, soldSoFar } from './harness/sellers.ts'
import { openDeployment } from './harness/deployment.ts'

const nothingSold = (): Sold => ({ sales: [], cut: 0, putOff: 0, slowestMs: 0, faults: [] })

/** Fifty at once buy the same budget, each with a key of his own: one policy, one number, one payment, and the same reply for all. */
async function fiftyBuyers(card: boolean, many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  const sold = nothingSold()
  for (let round = 0; round < many; round++) {
    const paymentGatewayUUID = deployment.agent.gateway(card ? 'StripeV2' : 'Deferred')
    const budget = await register(deployment.agent, { saveBudget: true, paymentGatewayUUID })
    const { body } = card ? await register(deployment.agent, { policyUuid: budget.body.data.policyUuid, paymentGatewayUUID }) : budget
    const { purchaseUUID, policyUuid, clientSecret } = body.data
    if (card) await pay(deployment.network, clientSecret)
    const replies = await Promise.all(Array.from({ length: 50 }, () => purchase(deployment.agent, { purchaseUUID, paymentGatewayUUID })))
    const refused = replies.filter(({ status }) => status !== 200)
    if (refused.length > 0) sold.faults.push(`${refused.length} of 50 were told ${refused[0]?.status} ${refused[0]?.text.slice(0, 120)}`)
    const told = new Set(replies.filter(({ status }) => status === 200).map(({ body: reply }) => JSON.stringify(reply.data)))
    if (told.size !== 1) sold.faults.push(`${told.size} different replies`)
    sold.sales.push({ policyUuid, number: replies[0]?.body?.data?.policyData?.policyNumber })
  }
  const faults = [...(await faultsOf(deployment, sold, before)), ...(await moneyAstray(deployment))]
  await deployment.stop()
  return { counts: { budgets: many, purchases: many * 50, sold: sold.sales.length }, faults }
}

/** One deletes what another buys, at the same moment. */
async function deletingAgainstBuying(many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  const sold = nothingSold()
  const counts = { rounds: many, sold: 0, deleted: 0 }
  const one = async () => {
    const { body } = await register(deployment.agent, { saveBudget: true })
    const { purchaseUUID, policyUuid } = body.data
    const acts = [
      () => purchase(deployment.agent, { purchaseUUID }),
      // Deleting asks less of the database: the buyer is now and then given a start.
      () => delay(random(0, 60)).then(() => deployment.agent.ask('/api/policy', { method: 'DELETE', body: { policyUuid } })),
    ]
    if (Math.random() < 0.5) acts.reverse()
    const replies = (await Promise.all(acts.map(act => act()))) as [Reply, Reply]
    const bought = replies.find(({ status, body: reply }) => status === 200 && reply.data.policyData)
    const gone = replies.some(({ status, body: reply }) => status === 200 && reply.data.deleted)
    const told = replies.map(({ status }) => status).join(', ')
    if (Boolean(bought) === gone) sold.faults.push(`both or neither: ${told}`)
    // Whoever comes too late is refused: he found it held, and then gone. A row that moved beneath him would be a defect of ours.
    if (replies.some(({ status }) => status >= 500)) sold.faults.push(`whoever came too late was told of a defect: ${told}`)
    if (bought) sold.sales.push({ policyUuid, number: bought.body.data.policyData.policyNumber })
    counts[bought ? 'sold' : 'deleted'] += 1
  }
  for (let done = 0; done < many; done += 10) await Promise.all(Array.from({ length: Math.min(10, many - done) }, one))
  const faults = await faultsOf(deployment, sold, before)
  await deployment.stop()
  return { counts, faults }
}

const once = 'one policy, one number, one payment or ledger entry, and all are told the same'

export const races: FaultTest[] = [
  { id: 'budget-x50', title: 'fifty buy one budget at once, on account', invariant: once, run: rounds => fiftyBuyers(false, rounds(20)) },
  { id: 'budget-x50-card', title: 'fifty finish one card payment at once', invariant: once, run: rounds => fiftyBuyers(true, rounds(20)) },
  {
    id: 'delete-purchase',
    title: 'deleting against buying',
    invariant: 'deleted and unpaid, or sold and paid; never both, never neither; whoever comes too late is refused',
    run: rounds => deletingAgainstBuying(rounds(1000)),
  },
]
