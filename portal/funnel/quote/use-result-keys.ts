import type { KeyboardEvent } from 'react'
import { isTypingIn } from '#portal/kit/shortcuts/is-typing.ts'
import { noteKeyUse } from '#portal/kit/page/key-hints.tsx'

type Keys = {
  order: readonly string[]
  chosen: string
  /** True while the sale is being opened. Text that is typed for it is not meant for the results. */
  busy: boolean
  choose: (uuid: string) => void
  sell: () => void
  covers: () => void
  save: () => void
}

/** Handles the keys of the results while these have the focus. In a field they are text, but arrows lead from the trip's cost to a row. */
export function useResultKeys({ order, chosen, busy, choose, sell, covers, save }: Keys): (event: KeyboardEvent<HTMLElement>) => void {
  return event => {
    const { key, target } = event
    if (busy || event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const isFromCost = target instanceof HTMLInputElement && target.name === 'priceTravel' && key in steps
    if (isTypingIn(target) && !isFromCost) return
    // A button handles Enter itself.
    const isOnRow = target instanceof HTMLElement && target.matches('[role=row]')
    const other = /^[1-9]$/.test(key) ? order[Number(key) - 1] : order[order.indexOf(chosen) + (steps[key] ?? 0)]
    const act = { Enter: isOnRow ? sell : undefined, d: covers, g: save }[key.length === 1 ? key.toLowerCase() : key]
    if (act) act()
    else if (key in steps || /^[1-9]$/.test(key)) {
      if (!other && !isFromCost) return
      choose(other ?? chosen)
    } else return
    event.preventDefault()
    noteKeyUse('quote')
  }
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
