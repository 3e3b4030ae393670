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
  const Sheet = title ? 'section' : 'div'
  return (
    <Sheet
      aria-labelledby={title && id}
      className={`grid grid-cols-[minmax(0,1fr)] content-start gap-(--gap) rounded-lg border border-hair bg-sheet p-(--card) shadow-low ${className}`}
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
    </Sheet>
  )
}

/** A state: a dot and its word. A hollow dot means that it is over. The colour only repeats the word. */
export function State({ tone, children }: { tone: Exclude<Tone, 'accent'> | 'over'; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap">
      <span aria-hidden="true" className={`size-[7px] shrink-0 rounded-full ${dots[tone]}`} />
      {children}
    </span>
  )
}

const dots: Record<Exclude<Tone, 'accent'> | 'over', string> = {
  neutral: 'bg-faint',
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
  info: 'bg-info',
  over: 'inset-ring-[1.5px] inset-ring-faint',
}

/** A tag, used only on something that needs an action or ends soon. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1 rounded-sm px-1.5 text-xs/[1.125rem] font-semibold whitespace-nowrap ${tones[tone]}`}>
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

/** One line in place of an empty list: its purpose, and what to do. */
export function EmptyState({ icon, title, children, action }: { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Icon name={icon} className="size-4 text-quiet" />
      <p className="min-w-0 flex-1 basis-48 text-quiet">
        <span>{title}</span>
        {children && <span className="text-faint"> · {children}</span>}
      </p>
      {action && <div className="ml-auto">{action}</div>}
    </div>
  )
}

/** A note about a part of the page, shown as long as it applies. */
export function Callout({ tone, title, children }: { tone: Exclude<Tone, 'neutral' | 'accent'>; title?: string; children?: ReactNode }) {
  return (
    <div className={`flex gap-2.5 rounded-lg px-3 py-2.5 ${tones[tone]}`}>
      <Icon name={toneIcons[tone]} className="mt-0.5 size-4" />
      <div className="grid gap-0.5">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
      </div>
    </div>
  )
}

const toneIcons = { success: 'check-circle', warning: 'alert-triangle', danger: 'alert-circle', info: 'info' } as const
