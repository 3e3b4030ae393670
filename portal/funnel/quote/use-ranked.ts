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

/** Keeps the order of the products, and the last results while newer ones are requested. Undefined until there are any. */
export function useRanked(products: readonly Product[], { standings, areCurrent }: Prices) {
  const by = useRank()
  const [seen, setSeen] = useState<Standings>()
  const [sorted, setSorted] = useState<{ by: Rank; standings: Standings }>()
  const [isHeld, hold] = useState(false)
  if (areCurrent && seen !== standings) setSeen(standings)
  // While a field of a row has the focus, no row moves.
  if (seen && (sorted?.by !== by || (sorted.standings !== seen && (!isHeld || !isSameSet(sorted.standings, seen)))))
    setSorted({ by, standings: seen })
  const groups = keyGroups(products.filter(({ uuid }) => isInsured(seen, uuid)))
  return { seen, groups, order: sorted ? ranked(products, sorted.standings, sorted.by, groups) : [], hold }
}

const isInsured = (standings: Standings | undefined, uuid: string): boolean => {
  const standing = standings?.get(uuid)
  return standing !== undefined && standing.state !== 'refused'
}

/** True if the same products insure the trip. */
const isSameSet = (one: Standings, other: Standings): boolean =>
  [...one.keys()].every(uuid => isInsured(one, uuid) === isInsured(other, uuid))
