import { lazy, Suspense } from 'react'
import type { QuestionProps } from './question-dialog.tsx'

const QuestionDialog = lazy(() => import('./question-dialog.tsx').then(({ QuestionDialog }) => ({ default: QuestionDialog })))

/** The dialog of a question, loaded when it is opened: it alone brings the form's code to the page. */
export const Question = (props: QuestionProps) => (
  <Suspense>
    <QuestionDialog {...props} />
  </Suspense>
)
