import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { accountingMatch } from '#common/accounting/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Pagination } from '#portal/kit/list/pagination.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { Callout, State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'

type Row = Compared['rows'][number]

const perPage = 20
const tones = { matched: 'success', differs: 'warning', missing_there: 'danger', missing_here: 'danger' } as const

/** The policies of both lists; those that differ or are missing come first. */
export function Matches({ compared: { rows, counts, currency, unclearLines } }: { compared: Compared }) {
  const { words } = useWords()
  const [page, setPage] = useState(1)
  const { matched, differs, missingHere: here, missingThere: there, unclear } = counts
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <p role="status" className="text-sm text-quiet">
        {words('match.counts', { matched, differs, here, there })}
      </p>
      {unclearLines.length > 0 && (
        <Callout tone="warning">
          {words('match.unclear', { count: unclear, lines: unclearLines.join(', '), more: unclear - unclearLines.length })}
        </Callout>
      )}
      <Table
        caption={words('match.policies')}
        columns={useColumns(currency)}
        rows={rows.slice((page - 1) * perPage, page * perPage)}
        keyOf={row => `${row.state} ${row.policyNumber} ${row.reference}`}
      />
      <Pagination page={page} pages={Math.ceil(rows.length / perPage)} onPage={setPage} />
    </div>
  )
}

function useColumns(currency: string): Column<Row>[] {
  const { words } = useWords()
  const maySee = useMay('b2b-policies-sold-view')
  const amounts = (amounts: Row['by'] | null, of = currency) => <Amounts amounts={amounts} currency={of} />
  return [
    {
      key: 'policy',
      head: words('match.policy'),
      cell: ({ policyUuid, policyNumber, reference }) => (
        <span className="grid">
          {policyUuid && maySee ? (
            <Link to="/policies" search={{ policy: policyUuid }} className="underline underline-offset-4">
              {policyNumber || reference}
            </Link>
          ) : (
            <span>{policyNumber || reference}</span>
          )}
          {policyNumber !== '' && <span className="text-sm text-quiet">{reference}</span>}
        </span>
      ),
    },
    {
      key: 'state',
      head: words('match.state'),
      cell: ({ state, currency: other }) => (
        <span className="grid">
          <State tone={tones[state]}>{words('match.state_of', { state })}</State>
          {other !== null && (
            <span className="text-sm whitespace-normal text-quiet">{words('match.other_currency', { other, currency })}</span>
          )}
        </span>
      ),
    },
    { key: 'ours', head: words('match.ours'), align: 'end', cell: ({ ours }) => amounts(ours) },
    { key: 'theirs', head: words('match.theirs'), align: 'end', cell: ({ theirs, currency: other }) => amounts(theirs, other ?? currency) },
    {
      key: 'by',
      head: words('match.by'),
      align: 'end',
      cell: ({ by, state, currency: other }) => (state === 'matched' || other !== null ? '—' : amounts(by)),
    },
  ]
}

/** Shows the amounts of a row, without those for which the list has no column. */
function Amounts({ amounts, currency }: { amounts: Row['by'] | null; currency: string }) {
  const { words } = useWords()
  const { money } = useFormat()
  if (!amounts) return '—'
  const { gross, commission } = amounts
  return (
    <span className="grid text-sm whitespace-nowrap">
      {gross !== null && <span>{words('match.gross', { amount: money(gross, currency) })}</span>}
      {commission !== null && <span>{words('match.commission', { amount: money(commission, currency) })}</span>}
    </span>
  )
}

export type Compared = ResponseOf<typeof accountingMatch>
