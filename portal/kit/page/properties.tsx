import type { ReactNode } from 'react'

/** Properties of something: their names have a column of their own, which is `wide` for whole questions. */
export const Properties = ({ wide = false, children }: { wide?: boolean; children: ReactNode }) => (
  <dl className={`grid gap-x-3 gap-y-2 ${wide ? 'sm:grid-cols-2' : 'grid-cols-[6.5rem_minmax(0,1fr)]'}`}>{children}</dl>
)

/** A property and its value; nothing if the value is empty. */
export const Property = ({ name, children }: { name: string; children: ReactNode }) =>
  children ? (
    <>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere whitespace-pre-line">{children}</dd>
    </>
  ) : null
