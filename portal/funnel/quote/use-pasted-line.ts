import { useState } from 'react'
import type { Chosen } from '../paste/take-chosen.ts'
import { keepPeople, saleInProgress } from '../sale.ts'
import type { FunnelState, TripForm } from '../store.ts'
import { focusInLine, type Line } from './use-line.ts'

type Filled = {
  names: ReadonlySet<string>
  people: number
  replaced: readonly string[]
  before: { trip: TripForm; people: FunnelState['people'] }
}

/** Fills the line from a pasted text, and takes that back. */
export function usePastedLine({ now, put }: Line) {
  const [filled, setFilled] = useState<Filled>()
  return {
    filled: filled?.names ?? new Set<string>(),
    people: filled?.people ?? 0,
    replaced: filled?.replaced ?? [],
    fill: ({ people, replaced, take }: Chosen) => {
      const before = { trip: now(), people: saleInProgress().people }
      const values = take(before.trip)
      put(values)
      const names = Object.keys(values).map(name => (name === 'birthDates' ? 'ages' : name))
      setFilled({ names: new Set(names), people, replaced, before })
    },
    undo: () => {
      if (!filled) return
      keepPeople(filled.before.people)
      put(filled.before.trip)
      setFilled(undefined)
      // The undo button is gone.
      focusInLine('startDate')
    },
  }
}
