import { useWords } from '#portal/kit/words.tsx'
import { Button } from './ui/button.tsx'
import { Callout } from './ui/card.tsx'

/** Where something should be shown that could not be had: why, and another try. */
export function Unavailable({ text, onAgain }: { text?: string | undefined; onAgain: () => void }) {
  const { words } = useWords()
  return (
    <div role="alert">
      <Callout tone="danger">
        <div className="grid justify-items-start gap-3">
          <p>{text ?? words('shell.offline')}</p>
          <Button look="quiet" icon="repeat" onClick={onAgain}>
            {words('shell.try_again')}
          </Button>
        </div>
      </Callout>
    </div>
  )
}
