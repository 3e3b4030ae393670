import { type ReactNode, useId } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info'

/** A sheet with a thin border. With a title, it is a region of that name. */
export function Card({
  title,
  level = 2,
  actions,
  className = '',
  children,
}: {
  title?: string
  level?: 2 | 3
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section
      aria-labelledby={title && id}
      className={`grid grid-cols-[minmax(0,1fr)] content-start gap-(--gap) rounded-lg border border-line bg-sheet p-(--card) ${className}`}
    >
      {(title || actions) && (
        <header className="flex flex-wrap items-center justify-between gap-2">
          {title && (
            <Heading id={id} className="text-lg font-semibold">
              {title}
            </Heading>
          )}
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

/** A state in one word. The colour only repeats it. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span
      className={`inline-flex min-h-5.5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap inset-ring inset-ring-current/15 ${tones[tone]}`}
    >
      {icon && <Icon name={icon} className="size-3" />}
      {children}
    </span>
  )
}

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-quiet',
  accent: 'bg-accent-soft text-accent-ink',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
}

/** Shown in place of an empty list: what it is for, and what to do. */
export function EmptyState({ icon, title, children, action }: { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 px-4 py-12 text-center">
      <span className="mb-1 grid size-11 place-items-center rounded-full bg-sunken text-quiet inset-ring inset-ring-line">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="font-semibold">{title}</p>
      {children && <p className="max-w-96 text-balance text-quiet">{children}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}

/** A note about a part of the page, shown as long as it applies. */
export function Callout({ tone, title, children }: { tone: Exclude<Tone, 'neutral' | 'accent'>; title?: string; children?: ReactNode }) {
  return (
    <div className={`flex gap-3 rounded-lg p-3 inset-ring inset-ring-current/20 ${tones[tone]}`}>
      <Icon name={toneIcons[tone]} className="mt-0.5 size-4" />
      <div className="grid gap-0.5">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
      </div>
    </div>
  )
}

const toneIcons = { success: 'check-circle', warning: 'alert-triangle', danger: 'alert-circle', info: 'info' } as const
