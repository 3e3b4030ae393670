import { lazy, Suspense } from 'react'

// Loaded on demand, as a text is pasted in few sales.
const FilledCallout = lazy(() => import('./filled-callout.tsx').then(({ FilledCallout }) => ({ default: FilledCallout })))

type Props = {
  pasted: {
    /** The names of fields with a pasted value. */
    filled: ReadonlySet<string>
    /** The number of people of step 2 filled from the text, and the names of those whom they replaced. */
    people: number
    replaced: readonly string[]
    undo: () => void
  }
}

/** Names the fields filled from a text, once there are any. */
export const FilledNotice = ({ pasted: { filled, people, replaced, undo } }: Props) => (
  <div role="status" className="empty:hidden">
    {(filled.size > 0 || people > 0) && (
      <Suspense>
        <FilledCallout fields={filled.size} people={people} replaced={replaced} onUndo={undo} />
      </Suspense>
    )}
  </div>
)
