import type { ReactNode } from 'react'

/** A section of the details, with a button on the right. */
export const Part = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
    <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
      <h3 className="font-semibold">{title}</h3>
      {action}
    </header>
    {children}
  </section>
)

/** A name with an optional detail on the left, and a value on the right. */
export const Row = ({ name, detail, children }: { name: ReactNode; detail?: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 border-b border-hair py-1.5 last:border-0">
    <span className="min-w-0 break-words">
      {name}
      {detail && <span className="block text-sm text-quiet">{detail}</span>}
    </span>
    <span className="ml-auto text-right">{children}</span>
  </li>
)
