import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { newSale, restart } from './sale.ts'
import { isSomethingTyped, type Step, useFunnel } from './store.ts'

const offeredMs = 10_000

/** What was typed gives way to a new sale at once, and comes back as long as that is offered, which ends with the next key. Not while somebody pays. */
export function StartOver({ product, onStart }: { product: Product; onStart: (step: Step) => void }) {
  const { words } = useWords()
  const isOffered = useFunnel(state => isSomethingTyped(state) && !state.bought)
  if (!isOffered) return null
  function startOver() {
    const before = useFunnel.getState()
    newSale(product)
    onStart(1)
    const action = {
      label: words('funnel.undo'),
      run: () => {
        restart(before)
        onStart(before.step)
      },
    }
    showToast({ summary: words('funnel.started_over'), life: offeredMs, action })
    const stop = useFunnel.subscribe(state => {
      if (!isSomethingTyped(state)) return
      stop()
      // The next client's is not given up for it.
      if (useToast.getState().action === action) closeToast()
    })
  }
  return (
    <Button look="quiet" icon="trash" onClick={startOver}>
      {words('funnel.start_over')}
    </Button>
  )
}
