import { useState } from 'react'
import type { Chosen } from '../paste/take-chosen.ts'
import { keepPeople, saleInProgress } from '../sale.ts'
import { focusInLine, type Line } from './use-line.ts'

type Filled = Pick<Chosen, 'people' | 'replaced'> & ReturnType<typeof fillLine>

/** Fills the line from a pasted text, and undoes that. */
export function usePastedLine(line: Line) {
  const [filled, setFilled] = useState<Filled>()
  return {
    filled: filled?.names ?? new Set<string>(),
    people: filled?.people ?? 0,
    replaced: filled?.replaced ?? [],
    fill: (chosen: Chosen) => setFilled({ people: chosen.people, replaced: chosen.replaced, ...fillLine(line, chosen) }),
    undo: () => {
      if (!filled) return
      filled.undo()
      setFilled(undefined)
      // The undo button is gone.
      focusInLine('startDate')
    },
  }
}

/** Puts the choice into the line and the sale. Returns the names of the filled fields, and `undo`, which restores the previous values. */
export function fillLine({ now, put }: Pick<Line, 'now' | 'put'>, { take }: Chosen) {
  const before = { trip: now(), people: saleInProgress().people }
  const values = take(before.trip)
  put(values)
  return {
    // One field has the travellers, their ages and birth dates.
    names: new Set(Object.keys(values).map(name => (name === 'birthDates' || name === 'travelers' ? 'ages' : name))),
    undo: () => {
      keepPeople(before.people)
      put(before.trip)
    },
  }
}
