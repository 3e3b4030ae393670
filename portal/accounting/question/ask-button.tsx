import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Entry, Line } from '../use-accounting.ts'

/** The button of a movement that opens the question dialog. */
export function AskButton({ entry: { kind, policyNumber }, onAsk }: { entry: Entry | Line; onAsk: () => void }) {
  const { words } = useWords()
  const label = words('accounting.ask_of', { kind: words('accounting.kind', { kind }), policy: policyNumber })
  return <IconButton icon="lifebuoy" label={label} onClick={onAsk} />
}
