import type { ReactNode } from 'react'
import { useConnection } from '#portal/kit/connection.ts'
import { useWords } from '#portal/kit/words.tsx'

/** A grey area in the size of loading content. It appears after 150 ms, so that quick content does not flicker. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-breathe rounded-sm bg-[color-mix(in_srgb,var(--color-ink)_9%,transparent)] ${className}`}
    />
  )
}

/** Returns the word for a wait: that it goes on, or that the service is slow to answer. */
export function useWaitWord(goesOn: 'ui.loading' | 'ui.searching' = 'ui.loading'): string {
  const { words } = useWords()
  return words(useConnection(({ slow }) => slow > 0) ? 'ui.slow' : goesOn)
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
