import { lazy, Suspense } from 'react'
import type { Pasted } from './use-pasted.tsx'

// Loaded on demand, as a text is pasted in few sales.
const FilledCallout = lazy(() => import('./filled-callout.tsx').then(({ FilledCallout }) => ({ default: FilledCallout })))

type Props = { pasted: Pick<Pasted, 'filled' | 'people' | 'replaced' | 'undo'> }

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
