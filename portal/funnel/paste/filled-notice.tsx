import { lazy, Suspense } from 'react'
import type { Pasted } from './use-pasted.tsx'

// A text was pasted in few sales.
const FilledCallout = lazy(() => import('./filled-callout.tsx').then(({ FilledCallout }) => ({ default: FilledCallout })))

/** Names the fields filled from a text, once there are any. */
export const FilledNotice = ({ pasted: { filled, people, undo } }: { pasted: Pick<Pasted, 'filled' | 'people' | 'undo'> }) => (
  <div role="status" className="empty:hidden">
    {(filled.size > 0 || people > 0) && (
      <Suspense>
        <FilledCallout fields={filled.size} people={people} onUndo={undo} />
      </Suspense>
    )}
  </div>
)
