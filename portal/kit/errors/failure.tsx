import { Callout } from '#portal/kit/ui/card.tsx'

/** The failure of what was just tried, where it was tried. It is announced as soon as it is there. */
export function Failure({ children }: { children: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && (
        <Callout tone="danger">
          <span className="whitespace-pre-line">{children}</span>
        </Callout>
      )}
    </div>
  )
}
