import type { ReactNode } from 'react'
import { useWords } from '#portal/kit/words.tsx'

/** Shows how far a task is; without a value, that it is running. */
export function Progress({ label, value, max = 100 }: { label: string; value?: number; max?: number }) {
  const share = value === undefined ? undefined : Math.min(1, Math.max(0, value / max))
  return (
    <label className="grid gap-1.5 text-sm text-quiet">
      <span className="flex justify-between gap-4">
        <span>{label}</span>
        {share !== undefined && <span aria-hidden="true">{Math.round(share * 100)}&#8239;%</span>}
      </span>
      <progress {...(share === undefined ? {} : { value: share })} className="progress" />
    </label>
  )
}

/** A grey area in the size of content that is loading. It appears after 150 ms, so that quick content does not flicker. */
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
