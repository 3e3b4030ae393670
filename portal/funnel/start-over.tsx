import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { newSale, restart } from './sale.ts'
import { hasInput, type Step, useFunnel } from './store.ts'
import { offerUndo } from './undo.ts'

/** Clears the funnel for a new sale, with an undo until something is typed. It is hidden during a purchase. */
export function StartOver({ onStart }: { onStart: (step: Step) => void }) {
  const { words } = useWords()
  const isOffered = useFunnel(state => hasInput(state) && !state.bought)
  if (!isOffered) return null
  function startOver() {
    const before = useFunnel.getState()
    newSale()
    onStart(1)
    offerUndo({
      summary: words('funnel.started_over'),
      label: words('funnel.undo'),
      run: () => {
        restart(before)
        onStart(before.step)
      },
      isOver: hasInput,
    })
  }
  return (
    <Button look="plain" icon="trash" className="max-md:-mx-2" onClick={startOver}>
      <span className="max-md:sr-only">{words('funnel.start_over')}</span>
    </Button>
  )
}
