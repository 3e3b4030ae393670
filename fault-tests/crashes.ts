import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result } from './fault-test.ts'
import { countsOf, findProblems, unmatchedPayments, type SellOptions, sellUntil, countSold } from './harness/sellers.ts'
import { openDeployment, type Deployment, type DeploymentOptions } from './harness/deployment.ts'

const invariant = 'every acknowledged sale exists once with its number; retries complete every started sale; no other sale exists'

/** Crashes and restarts something repeatedly during sales. */
async function crashDuringSales(
  options: DeploymentOptions,
  times: number,
  crash: (deployment: Deployment) => Promise<void>,
  sellOptions: SellOptions = {},
): Promise<Result> {
  const deployment = await openDeployment(options)
  const before = await countSold(deployment)
  let over = false
  const selling = sellUntil(deployment, 4, () => over, sellOptions)
  let longest = 0
  for (let round = 0; round < times; round++) {
    await delay(random(500, 2_500))
    const began = performance.now()
    await crash(deployment)
    longest = Math.max(longest, performance.now() - began)
  }
  over = true
  const sold = await selling
  await deployment.network.idle()
  const problems = [...(await findProblems(deployment, sold, before)), ...(await unmatchedPayments(deployment))]
  await deployment.stop()
  return { counts: { crashes: times, ...countsOf(sold), 'longest outage ms': Math.round(longest) }, problems }
}

const crashServer = async (deployment: Deployment) => {
  await deployment.node().kill()
  await deployment.start()
}

export const crashes: FaultTest[] = [
  {
    id: 'kill-service',
    title: 'kill -9 of the server during sales (PostgreSQL)',
    invariant,
    needs: 'PostgreSQL',
    run: rounds => crashDuringSales({}, rounds(50), crashServer),
  },
  {
    id: 'kill-card',
    title: 'kill -9 of the server during sales by card (PostgreSQL)',
    invariant: `${invariant}; every card payment belongs to one of them`,
    needs: 'PostgreSQL',
    run: rounds => crashDuringSales({}, rounds(200), crashServer, { card: true, timeoutMs: 300_000 }),
  },
  {
    id: 'kill-embedded',
    title: 'kill -9 of the server with its embedded database',
    invariant,
    run: rounds => crashDuringSales({ database: 'embedded' }, rounds(20), crashServer),
  },
  {
    id: 'kill-postgres',
    title: 'kill -9 of all PostgreSQL processes during sales',
    invariant,
    needs: 'PostgreSQL',
    run: rounds =>
      crashDuringSales({}, rounds(50), async ({ postgres }) => {
        await postgres?.kill()
        await postgres?.start()
      }),
  },
]
