import { setTimeout as delay } from 'node:timers/promises'
import { type Drill, random, type Result } from './drill.ts'
import { countsOf, faultsOf, moneyAstray, type Selling, sellUntil, soldSoFar } from './rig/sellers.ts'
import { openShop, type Shop, type ShopWish } from './rig/shop.ts'

const invariant =
  'every acknowledged sale is there once, with its number; every sale that was begun is finished by asking again; nothing else'

/** Sellers sell on while something is struck down and comes up again. */
async function underLoad(wish: ShopWish, strikes: number, strike: (shop: Shop) => Promise<void>, how: Selling = {}): Promise<Result> {
  const shop = await openShop(wish)
  const before = await soldSoFar(shop)
  let over = false
  const selling = sellUntil(shop, 4, () => over, how)
  let longest = 0
  for (let struck = 0; struck < strikes; struck++) {
    await delay(random(500, 2_500))
    const began = performance.now()
    await strike(shop)
    longest = Math.max(longest, performance.now() - began)
  }
  over = true
  const sold = await selling
  await shop.network.idle()
  const faults = [...(await faultsOf(shop, sold, before)), ...(await moneyAstray(shop))]
  await shop.stop()
  return { counts: { strikes, ...countsOf(sold), 'longest away ms': Math.round(longest) }, faults }
}

const strikeService = async (shop: Shop) => {
  await shop.node().kill()
  await shop.start()
}

export const killed: Drill[] = [
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
