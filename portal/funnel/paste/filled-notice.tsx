import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Pasted } from './use-pasted.tsx'

/** Names the fields filled from a text, and offers to undo it. */
export function FilledNotice({ pasted: { filled, people, undo } }: { pasted: Pasted }) {
  const { words } = useWords()
  return (
    <div role="status" className="empty:hidden">
      {(filled.size > 0 || people > 0) && (
        <Callout tone="info">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>
              {filled.size > 0 && words('paste.filled', { count: filled.size })}{' '}
              {people > 0 && words('paste.filled_people', { count: people })}
            </p>
            <Button look="quiet" onClick={undo}>
              {words('paste.undo')}
            </Button>
          </div>
        </Callout>
      )}
    </div>
  )
}
