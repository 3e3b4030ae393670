import { type ReactNode, useEffect } from 'react'
import { Select } from '#portal/kit/field/select.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import type { IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useListParams } from './list-params.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Pagination } from './pagination.tsx'
import { Table } from './table.tsx'
import type { Column, Foot, Lines, Selection, Sort } from './table-parts.tsx'
import type { ListPage } from './use-list.ts'

type Props<Row> = {
  caption: string
  list: ListPage<Row>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The number of rows of a full page, which is the number of skeletons before the first page. */
  expected?: number
  onOpen?: (row: Row) => void
  /** The key of the row that is open beside the list; the arrow keys change it. */
  open?: string | undefined
  onFollow?: (row: Row) => void
  lines?: (row: Row) => Lines
  foot?: Foot | undefined
  sort?: Sort
  selection?: Selection<Row>
  /** The actions of letter keys on the focused row. */
  keys?: Record<string, (row: Row) => void>
  /** The filters and the buttons beside them. */
  children?: ReactNode
  empty: { icon: IconName; title: string; hint?: string; action?: ReactNode }
  /** Says which rows are shown, or how many there are. */
  summary?: (range: { first: string; last: string; total: string; count: number }) => string
  perPage?: { label: string; sizes: readonly { value: string; label: string }[]; value: string; fallback: string }
}

/** A list with filters, pages and keys. Shows skeletons while loading, and a message if it is empty or fails. */
export function ListScreen<Row>({ list, children, empty, summary, perPage, sort, onOpen, selection, keys, ...table }: Props<Row>) {
  const { filter, turnTo, stayWithin } = useListParams()
  const { rows, info, error, busy, retry } = list
  const { words } = useWords()
  // The page may not exist: the link is old, or the last row of the last page was deleted.
  const lastPage = info && rows?.length === 0 && info.total > 0 ? info.totalPages : undefined
  useEffect(() => {
    if (lastPage) stayWithin(lastPage)
    // oxlint-disable-next-line react/exhaustive-deps -- `stayWithin` is new at each render, and only the last page counts
  }, [lastPage])
  function turn(direction: 1 | -1): boolean {
    const page = (info?.page ?? 1) + direction
    const exists = !busy && page >= 1 && page <= (info?.totalPages ?? 1)
    if (exists) turnTo(page)
    return exists
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {children}
      {error ? (
        <LoadError title={words('ui.list_failed')} error={error} retry={retry} />
      ) : (
        <Table
          {...table}
          rows={rows}
          busy={busy}
          {...(sort ? { sort, onSort: ({ key, order }) => filter({ sort: key, order }) } : {})}
          {...(onOpen ? { onOpen, onBeyond: turn } : {})}
          {...(selection ? { selection } : {})}
          {...(keys ? { keys } : {})}
          empty={
            <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
              {empty.hint}
            </EmptyState>
          }
        />
      )}
      {info && info.total > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {summary && <Summary list={list} text={summary} />}
          {perPage && (
            <Select
              label={perPage.label}
              hideLabel
              name="perPage"
              className="w-38"
              value={perPage.value}
              onChange={size => filter({ perPage: size === perPage.fallback ? undefined : size })}
              options={perPage.sizes}
            />
          )}
          <div className="min-w-60 flex-1">
            <Pagination page={info.page} pages={info.totalPages} isCounted={info.totalIsExact ?? true} onPage={turnTo} />
          </div>
        </div>
      )}
    </div>
  )
}

function Summary<Row>({ list: { rows, info }, text }: { list: ListPage<Row>; text: NonNullable<Props<Row>['summary']> }) {
  const { number } = useFormat()
  if (!info) return null
  const first = (info.page - 1) * info.perPage + 1
  const last = first + Math.max(rows?.length ?? 0, 1) - 1
  return (
    <p role="status" className="text-sm text-quiet">
      {text({ first: number(first), last: number(last), total: number(info.total), count: info.total })}
    </p>
  )
}
