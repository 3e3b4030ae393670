import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result } from './fault-test.ts'
import { countsOf, faultsOf, moneyAstray, type Selling, sellUntil, soldSoFar } from './harness/sellers.ts'
import { openDeployment, type Deployment, type DeploymentOptions } from './harness/deployment.ts'

const invariant =
  'every acknowledged sale is there once, with its number; every sale that was begun is finished by asking again; nothing else'

/** Sellers sell on while something is struck down and comes up again. */
async function underLoad(
  wish: DeploymentOptions,
  strikes: number,
  strike: (deployment: Deployment) => Promise<void>,
  how: Selling = {},
): Promise<Result> {
  const deployment = await openDeployment(wish)
  const before = await soldSoFar(deployment)
  let over = false
  const selling = sellUntil(deployment, 4, () => over, how)
  let longest = 0
  for (let struck = 0; struck < strikes; struck++) {
    await delay(random(500, 2_500))
    const began = performance.now()
    await strike(deployment)
    longest = Math.max(longest, performance.now() - began)
  }
  over = true
  const sold = await selling
  await deployment.network.idle()
  const faults = [...(await faultsOf(deployment, sold, before)), ...(await moneyAstray(deployment))]
  await deployment.stop()
  return { counts: { strikes, ...countsOf(sold), 'longest away ms': Math.round(longest) }, faults }
}

const strikeService = async (deployment: Deployment) => {
  await deployment.node().kill()
  await deployment.start()
}

export const killed: FaultTest[] = [
  {
    id: 'kill-service',
    title: 'kill -9 of the service while four sell (PostgreSQL)',
    invariant,
    needs: 'PostgreSQL',
    run: rounds => underLoad({}, rounds(50), strikeService),
  },
  {
    id: 'kill-card',
    title: 'kill -9 of the service while four sell by card (PostgreSQL)',
    invariant: `${invariant}; what the card network has taken is one of them`,
    needs: 'PostgreSQL',
    run: rounds => underLoad({}, rounds(200), strikeService, { card: true, patienceMs: 300_000 }),
  },
  {
    id: 'kill-embedded',
    title: 'kill -9 of the service with its embedded database',
    invariant,
    run: rounds => underLoad({ database: 'embedded' }, rounds(20), strikeService),
  },
  {
    id: 'kill-postgres',
    title: 'kill -9 of all of PostgreSQL while four sell',
    invariant,
    needs: 'PostgreSQL',
    run: rounds =>
      underLoad({}, rounds(50), async ({ postgres }) => {
        await postgres?.kill()
        await postgres?.start()
      }),
  },
]
