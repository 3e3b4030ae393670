import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { useProductName } from '#portal/products/store.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Pagination } from '#portal/kit/list/pagination.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { Explanation, useBecause } from '../explanation.tsx'
import { AskButton, Question } from '../question/question.tsx'
import type { Line, OpenStatement } from '../use-accounting.ts'

type Props = {
  opened: OpenStatement
  /** True while the next page is loading. */
  busy: boolean
  onPage: (page: number) => void
}

/** A page of a statement's lines. Each leads to its policy. */
export function StatementLines({ opened: { statement, lines, page, totalPages }, busy, onPage }: Props) {
  const { words } = useWords()
  const id = useId()
  const [asked, setAsked] = useState<Line>()
  // The link may be older than the present division into pages.
  const lastPage = page > totalPages && totalPages > 0 ? totalPages : undefined
  useEffect(() => {
    if (lastPage) onPage(lastPage)
    // oxlint-disable-next-line react/exhaustive-deps -- `onPage` is new at each render, and only the last page counts
  }, [lastPage])
  return (
    <section aria-labelledby={id} aria-busy={busy || undefined}>
      <h3 id={id} className="font-semibold">
        {words('accounting.lines')}
      </h3>
      {statement.deeds === 0 && <p className="py-1 text-quiet">{words('accounting.no_lines')}</p>}
      <ul>
        {lines.map(line => (
          <li key={line.uuid} className="flex items-baseline gap-3 border-b border-line py-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <LineText line={line} currency={statement.currency} />
              <Amounts line={line} currency={statement.currency} />
            </div>
            <AskButton entry={line} onAsk={() => setAsked(line)} />
          </li>
        ))}
      </ul>
      <Pagination page={page} pages={totalPages} onPage={onPage} label={words('accounting.lines')} />
      {asked && <Question entry={asked} currency={statement.currency} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

function LineText({ line, currency }: { line: Line; currency: string }) {
  const { at, kind, policyUuid, policyNumber, policyTaker, reference } = line
  const because = useBecause()(line)
  const productName = useProductName()
  const { words } = useWords()
  const { moment } = useFormat()
  const maySee = useMay('b2b-policies-sold-view')
  const title = `${words('accounting.kind', { kind })} ${policyNumber}`
  return (
    <div className="min-w-0 flex-1">
      {maySee ? (
        <Link to="/policies" search={{ policy: policyUuid }} className="underline underline-offset-4 wrap-anywhere">
          {title}
        </Link>
      ) : (
        <p className="wrap-anywhere">{title}</p>
      )}
      <p className="text-sm text-quiet wrap-anywhere">
        {[policyTaker, moment(at), productName(line), reference, because].filter(Boolean).join(' · ')}
      </p>
      <Explanation entry={line} currency={currency} />
    </div>
  )
}

function Amounts({ line: { gross, commission, way }, currency }: { line: Line; currency: string }) {
  const { words } = useWords()
  const { money } = useFormat()
  return (
    // On a phone, below the text.
    <dl className="text-right whitespace-nowrap max-sm:basis-full">
      <dt className="sr-only">{words('accounting.gross')}</dt>
      <dd>{money(gross, currency)}</dd>
      <dt className="sr-only">{words('accounting.earned')}</dt>
      <dd className="text-sm text-quiet">{`${words('accounting.commission_of', { amount: money(commission, currency) })} · ${words('accounting.way', { way })}`}</dd>
    </dl>
  )
}
