import { lazy, Suspense } from 'react'
import type { QuestionProps } from './question-dialog.tsx'

const QuestionDialog = lazy(() => import('./question-dialog.tsx').then(({ QuestionDialog }) => ({ default: QuestionDialog })))

/** The question dialog, loaded when it opens, because only it needs the form's code. */
export const Question = (props: QuestionProps) => (
  <Suspense>
    <QuestionDialog {...props} />
  </Suspense>
)
