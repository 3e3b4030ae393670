import { useState } from 'react'
import { keyGroups, type Rank, ranked } from '#common/quotes/ranking.ts'
import type { Standings } from '#common/quotes/comparison.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { openStore } from '#portal/kit/stores.ts'
import type { Product } from '#portal/products/store.ts'
import type { Prices } from '../compare/use-standings.ts'

const useChosenRank = openStore<{ by: Rank }>('rank', { by: 'fit' })

export const chooseRank = (by: Rank): void => useChosenRank.setState({ by })

/** Returns the order chosen by the user. While the client can see the screen, none reveals the commission. */
export function useRank(): Rank {
  const by = useChosenRank(({ by }) => by)
  const showsCommission = useShowsCommission()
  return by === 'commission' && !showsCommission ? 'fit' : by
}

/** Returns the products in their order, and keeps the last results while newer ones are requested. Undefined until there are any. */
export function useRanked(products: readonly Product[], { standings, areCurrent }: Prices) {
  const by = useRank()
  const [seen, setSeen] = useState<Standings>()
  if (areCurrent && seen !== standings) setSeen(standings)
  const groups = keyGroups(products.filter(({ uuid }) => isInsured(seen, uuid)))
  return { seen, groups, order: seen ? ranked(products, seen, by, groups) : [] }
}

const isInsured = (standings: Standings | undefined, uuid: string): boolean => {
  const standing = standings?.get(uuid)
  return standing !== undefined && standing.state !== 'refused'
}
