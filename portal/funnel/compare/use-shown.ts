import { useState } from 'react'
import { byPrice, firstCompared, type Standings } from '#common/quotes/comparison.ts'
import { maxCompared, type Product } from '#portal/products/store.ts'
import type { Prices } from './use-standings.ts'

type Choice = { products: readonly Product[]; chosen: readonly Product[] | undefined; current: Product | undefined }

const none: Standings = new Map()

/** Keeps the shown products and their order. `shown` is undefined while prices still decide which these are. */
export function useShown({ products, chosen, current }: Choice, { standings, areCurrent, isComplete, error }: Prices) {
  const [picked, setPicked] = useState(() => chosen?.map(({ uuid }) => uuid))
  const [seen, setSeen] = useState(none)
  const [sortedBy, setSortedBy] = useState(none)
  const [isHeld, hold] = useState(false)
  const all = products.map(({ uuid }) => uuid)
  const first = (by: Standings) => firstCompared(current?.uuid ?? all[0] ?? '', all, by, maxCompared)
  if (areCurrent && seen !== standings) {
    setSeen(standings)
    if (!isHeld) setSortedBy(standings)
    setPicked(picked ?? first(standings))
  }
  const shown = picked ? byPrice(picked, sortedBy) : first(none)
  return {
    shown: picked || !isComplete || error ? shown : undefined,
    toggle: (uuid: string) => {
      setPicked(shown.includes(uuid) ? shown.filter(each => each !== uuid) : [...shown, uuid])
      setSortedBy(standings)
    },
    /** Keeps the order while the focus is in a column, so that its fields do not move while the user types. */
    hold,
  }
}
