import type { ReactNode } from 'react'

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}

export const Facts = ({ children }: { children: ReactNode }) => <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">{children}</dl>

/** A label and its value; nothing if the value is empty. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) =>
  children ? (
    <div className="grid min-w-0 gap-0.5">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  ) : null

/** A name with an optional detail on the left, and a value on the right. */
export const Row = ({ name, detail, children }: { name: ReactNode; detail?: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-1.5 last:border-0">
    <span className="min-w-0 break-words">
      {name}
      {detail && <span className="block text-sm text-quiet">{detail}</span>}
    </span>
    <span className="ms-auto text-right">{children}</span>
  </li>
)
