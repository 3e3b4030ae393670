import { type ReactNode, useId } from 'react'
import { deviceOf } from '#common/session/device.ts'
import { useWords } from '#portal/kit/words.tsx'

/** A record's facts by name, without missing ones. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <div key={label} className="grid gap-0.5 sm:col-span-2 sm:grid-cols-subgrid">
            <dt className="text-sm text-quiet">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A part of a record's panel, with a heading and a button. */
export function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-2 border-t border-hair pt-3">
      <header className="flex min-h-(--control) flex-wrap items-center justify-between gap-2">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** A value as JSON. */
export function Raw({ label, value }: { label: string; value: unknown }) {
  const id = useId()
  return (
    <div
      role="group"
      aria-labelledby={id}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, so that the keyboard can scroll a long one
      tabIndex={0}
      className="grid gap-1.5"
    >
      <h3 id={id} className="text-sm text-quiet">
        {label}
      </h3>
      <pre className="overflow-auto rounded-md bg-sunken p-3 text-xs whitespace-pre-wrap break-words">{JSON.stringify(value, null, 2)}</pre>
    </div>
  )
}

/** A technical name, such as an id or an action. In a table row it is cut off with an ellipsis. */
export const Code = ({ inRow = false, children }: { inRow?: boolean; children: ReactNode }) => (
  <code className={`text-[0.8125rem] ${inRow ? 'min-w-0 truncate' : 'break-all'}`}>{children}</code>
)

/** Returns a function that names a device by its user agent: browser and system. */
export function useDeviceName(): (userAgent: string) => string {
  const { words } = useWords()
  return userAgent => {
    const { browser, system } = deviceOf(userAgent)
    return [browser, system].filter(Boolean).join(' · ') || words('administration.unknown_device')
  }
}
