import type { ReactNode } from 'react'
import { useWords } from '#portal/kit/words.tsx'

/** A grey area in the size of loading content. It appears after 150 ms, so that quick content does not flicker. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return (
    <div aria-hidden="true" className={`animate-breathe rounded-sm bg-[color-mix(in_srgb,var(--color-ink)_9%,transparent)] ${className}`} />
  )
}

/** Wraps skeletons, and announces once to screen readers that something is loading. */
export function Loading({ className = '', children }: { className?: string; children: ReactNode }) {
  const { words } = useWords()
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{words('ui.loading')}</output>
      {children}
    </div>
  )
}
