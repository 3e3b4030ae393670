import { useEffect, useRef } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'

/** The failure of what was just tried, where it was tried. It is announced as soon as it is there, and no bar at the foot hides it. */
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
