import { useEffect, useRef } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'

/** An error message at the place of the failed action. It is announced at once, and no bar at the bottom hides it. */
export function Failure({ children }: { children: string | undefined }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (children) box.current?.scrollIntoView({ block: 'nearest' })
  }, [children])
  return (
    <div ref={box} role="alert" className="empty:hidden">
      {children && (
        <Callout tone="danger">
          <span className="whitespace-pre-line">{children}</span>
        </Callout>
      )}
    </div>
  )
}
