import type { ReactNode } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'

type Props = {
  summary: ReactNode
  /** True if it is open at first. */
  startsOpen?: boolean
  /** True within a line of text, which keeps its height. */
  slim?: boolean
  className?: string
  children: ReactNode
}

/** Content behind its summary. It is the browser's own disclosure, so that a search in the page opens it. */
export const Disclosure = ({ summary, startsOpen, slim = false, className = '', children }: Props) => (
  <details open={startsOpen} className={`group ${className}`}>
    <summary
      className={`flex ${slim ? 'pointer-coarse:min-h-11' : 'min-h-(--control)'} cursor-pointer list-none items-center gap-2 rounded-md [&::-webkit-details-marker]:hidden`}
    >
      <Icon name="chevron-down" className="size-4 -rotate-90 text-quiet transition-transform duration-100 group-open:rotate-0" />
      <span className="min-w-0">{summary}</span>
    </summary>
    {children}
  </details>
)
