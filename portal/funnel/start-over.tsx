import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { newSale, restart } from './sale.ts'
import { hasInput, type Step, useFunnel } from './store.ts'

const undoMs = 10_000

/** Clears the funnel for a new sale, with an undo until something is typed. It is hidden during a purchase. */
export function StartOver({ onStart }: { onStart: (step: Step) => void }) {
  const { words } = useWords()
  const isOffered = useFunnel(state => hasInput(state) && !state.bought)
  if (!isOffered) return null
  function startOver() {
    const before = useFunnel.getState()
    newSale()
    onStart(1)
    const action = {
      label: words('funnel.undo'),
      run: () => {
        restart(before)
        onStart(before.step)
      },
    }
    showToast({ summary: words('funnel.started_over'), life: undoMs, action })
    const stop = useFunnel.subscribe(state => {
      if (!hasInput(state)) return
      stop()
      // Undo would overwrite the new sale, so its toast closes.
      if (useToast.getState().action === action) closeToast()
    })
  }
  return (
    <Button look="plain" icon="trash" className="max-md:-mx-2" onClick={startOver}>
      <span className="max-md:sr-only">{words('funnel.start_over')}</span>
    </Button>
  )
}
