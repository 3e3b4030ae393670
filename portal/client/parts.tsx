import type { ReactNode } from 'react'
import type { ClientPolicy } from '#common/client/calls.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useClientFormat } from './format.ts'

// Parts of the pages of a policy and a quote.

export const Sheet = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <div className={`rounded-xl border border-hair bg-sheet p-4 shadow-low ${className}`}>{children}</div>
)

type PartProps = { title: string; children: ReactNode; takesFocus?: boolean; level?: 2 | 3 | undefined }

/** A part with a heading, which gets the focus when the part replaces another. */
export function Part({ title, children, takesFocus = false, level = 2 }: PartProps) {
  const Heading = `h${level}` as const
  return (
    <section className="grid content-start gap-2">
      <Heading tabIndex={-1} ref={takesFocus ? focus : undefined} className="text-[1.1875rem]/6.5 font-semibold outline-none">
        {title}
      </Heading>
      {children}
    </section>
  )
}

export const focus = (element: HTMLElement | null): void => element?.focus()

/** The language of names that stay as they were sold or offered, whatever the page's language. */
export const inLanguage = ({ locale }: Pick<ClientPolicy, 'locale'>): string => locale.slice(0, 2)

export const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
    <dt className="text-quiet">{label}</dt>
    <dd className="text-right font-semibold wrap-anywhere">{children}</dd>
  </div>
)

type PriceProps = {
  page: Pick<ClientPolicy, 'locale' | 'timeZone' | 'today'>
  price: { currency: string; total: number; lines: ClientPolicy['price']['lines'] }
}

export function PriceLines({ page, price }: PriceProps) {
  const { words } = useWords()
  const { money } = useClientFormat({ ...page, price })
  const names = { travel: words('client.line_travel'), cancellation: words('client.line_cancellation'), tax: '' }
  return (
    <dl className="grid gap-2">
      {price.lines.map(({ kind, label, translated, amount }) => (
        <div key={`${kind} ${label}`} className="flex justify-between gap-4 text-[0.9375rem]/5.5">
          <dt className="text-quiet" lang={names[kind] || translated ? undefined : inLanguage(page)}>
            {names[kind] || label}
          </dt>
          <dd>{money(amount)}</dd>
        </div>
      ))}
      <div className="flex justify-between gap-4 border-t border-hair pt-2 font-semibold">
        <dt>{words('client.total')}</dt>
        <dd>{money(price.total)}</dd>
      </div>
    </dl>
  )
}

export function Foot({ brand, insurer }: Pick<ClientPolicy, 'brand' | 'insurer'>) {
  const { words } = useWords()
  return (
    <footer className="text-[0.90625rem]/5 text-quiet">
      <p>{words('client.insured_by', { agency: brand.legalName, insurer })}</p>
      <Reach brand={brand} />
    </footer>
  )
}

/** How to reach the agency. */
export function Reach({ brand: { phone, email } }: Pick<ClientPolicy, 'brand'>) {
  const link = 'inline-flex min-h-11 items-center underline underline-offset-4'
  return (
    <p className="flex flex-wrap gap-x-4">
      <a href={callTo(phone)} className={link}>
        {phone}
      </a>
      <a href={`mailto:${email}`} className={link}>
        {email}
      </a>
    </p>
  )
}

export const callTo = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`
