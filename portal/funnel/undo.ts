import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import { type FunnelState, useFunnel } from './store.ts'

const undoMs = 10_000

type Undo = {
  summary: string
  label: string
  run: () => void
  /** True for a sale that has changed since, which undo would overwrite. */
  isOver: (state: FunnelState) => boolean
}

/** Says what was changed in the sale, and offers to undo it until the sale changes again. */
export function offerUndo({ summary, label, run, isOver }: Undo): void {
  const action = { label, run }
  showToast({ summary, life: undoMs, action })
  const stop = useFunnel.subscribe(state => {
    if (!isOver(state)) return
    stop()
    if (useToast.getState().action === action) closeToast()
  })
}
