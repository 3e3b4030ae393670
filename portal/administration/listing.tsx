import type { ReactNode } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import type { IconName } from '#portal/kit/ui/icon.tsx'
import { Pagination } from '#portal/kit/ui/pagination.tsx'
import { type Column, Table } from '#portal/kit/ui/table.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { told } from './queries.ts'
import { useLook } from './list-params.ts'

type Props<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  data: { total: number; totalPages: number; page: number } | undefined
  error: Error | null
  busy: boolean
  again: () => void
  keyOf: (row: Row) => string
  onOpen?: (row: Row) => void
  empty: { icon: IconName; title: string; hint?: string }
  /** What narrows the list, and what can be done beside it. */
  children?: ReactNode
}

/** A list of the administration: what narrows it, its rows, its pages; nothing found, and what could not be asked. */
export function Listing<Row>({ caption, columns, rows, data, error, busy, again, keyOf, onOpen, empty, children }: Props<Row>) {
  const { words } = useWords()
  const { go } = useLook()
  return (
    <div className="grid gap-3">
      {children && <div className="flex flex-wrap items-end gap-3">{children}</div>}
      {error ? (
        <Failure error={error} again={again} />
      ) : (
        <Table
          caption={caption}
          columns={columns}
          rows={rows}
          expected={8}
          keyOf={keyOf}
          {...(onOpen ? { onOpen } : {})}
          busy={busy}
          empty={
            <EmptyState icon={empty.icon} title={empty.title}>
              {empty.hint}
            </EmptyState>
          }
        />
      )}
      {data && data.total > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <output className="text-sm text-quiet">{words('administration.count', { count: data.total })}</output>
          <div className="ml-auto">
            <Pagination page={data.page} pages={data.totalPages} onPage={page => go({ page: String(page) })} />
          </div>
        </div>
      )}
    </div>
  )
}

export function Failure({ error, again }: { error: Error; again: () => void }) {
  const { words } = useWords()
  return (
    <div role="alert" className="rounded-lg border border-line bg-sheet">
      <EmptyState
        icon="alert-circle"
        title={words('administration.failed')}
        action={
          <Button look="quiet" icon="repeat" onClick={again}>
            {words('shell.try_again')}
          </Button>
        }
      >
        {told(error, words)}
      </EmptyState>
    </div>
  )
}
