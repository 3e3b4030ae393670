import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Shows if an action was done or refused. */
export function Outcome({ outcome }: { outcome: 'done' | 'refused' }) {
  const { words } = useWords()
  return outcome === 'done' ? (
    <State tone="success">{words('administration.outcome_done')}</State>
  ) : (
    <State tone="warning">{words('administration.outcome_refused')}</State>
  )
}
