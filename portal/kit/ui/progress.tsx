import type { ReactNode } from 'react'
import { useWords } from '#portal/kit/words.tsx'

/** A wheel, for what takes a moment; the control around it says that it is busy. */
export function Turning({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={`shrink-0 animate-turn ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}

/** How far something is; without a value, that it goes on. */
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

/** The place of what is still loading, in its final size. Seen only after 150 ms: what comes at once does not flicker. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return (
    <div aria-hidden="true" className={`animate-breathe rounded-sm bg-[color-mix(in_srgb,var(--color-ink)_9%,transparent)] ${className}`} />
  )
}

/** Around skeletons: says once, to those who do not see them, that something is loading. */
export function Loading({ className = '', children }: { className?: string; children: ReactNode }) {
  const { words } = useWords()
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{words('ui.loading')}</output>
      {children}
    </div>
  )
}
