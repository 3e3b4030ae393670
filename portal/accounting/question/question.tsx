import { lazy, Suspense } from 'react'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Entry, Line } from '../use-accounting.ts'
import type { QuestionProps } from './question-dialog.tsx'

const QuestionDialog = lazy(() => import('./question-dialog.tsx').then(({ QuestionDialog }) => ({ default: QuestionDialog })))

/** The question dialog, loaded when it opens, because only it needs the form's code. */
export const Question = (props: QuestionProps) => (
  <Suspense>
    <QuestionDialog {...props} />
  </Suspense>
)

/** The button of a movement that opens the question dialog. */
export function AskButton({ entry: { kind, policyNumber }, onAsk }: { entry: Entry | Line; onAsk: () => void }) {
  const { words } = useWords()
  const label = words('accounting.ask_of', { kind: words('accounting.kind', { kind }), policy: policyNumber })
  return <IconButton icon="lifebuoy" label={label} onClick={onAsk} />
}
