import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = { fields: number; people: number; replaced: readonly string[]; onUndo: () => void }

/** Shows how many fields and people were filled from a text, with a button to undo it. */
export function FilledCallout({ fields, people, replaced, onUndo }: Props) {
  const { words } = useWords()
  return (
    <Callout tone="info">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          {fields > 0 && words('paste.filled', { count: fields })} {people > 0 && words('paste.filled_people', { count: people })}{' '}
          {replaced.length > 0 && <Replaced names={replaced} />}
        </p>
        <Button look="quiet" onClick={onUndo}>
          {words('paste.undo')}
        </Button>
      </div>
    </Callout>
  )
}

const mostNamed = 3

/** Names the people whom those of a text replace, or at least the first of them. */
export function Replaced({ names }: { names: readonly string[] }) {
  const { words } = useWords()
  const { list } = useFormat()
  return words('paste.instead', { names: list(names.slice(0, mostNamed)), more: Math.max(0, names.length - mostNamed) })
}
