import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'

export type Column<Row> = {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  sortable?: boolean
  align?: 'end'
  /** Hides the column in tables narrower than 48 rem (`narrow`) or 64 rem (`medium`), but not in cards. */
  hide?: 'narrow' | 'medium'
  /** Hides the head of a column of buttons; screen readers still read it. */
  hideHead?: boolean
}

/** The sort order, as calls take it (spec 3, sortCriteria). */
export type Sort = { key: string; order: 'asc' | 'desc' }

/** The selected rows. `nameOf` labels the checkbox of a row. */
export type Selection<Row> = { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void; nameOf: (row: Row) => string }

type Props<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined shows skeletons while the rows are loading. */
  rows: readonly Row[] | undefined
  expected?: number
  keyOf: (row: Row) => string
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** Opens a row by click, or by Enter on the focused row. */
  onOpen?: (row: Row) => void
  selection?: Selection<Row>
  /** The actions of letter keys on the focused row. If rows can be selected, x selects it. */
  keys?: Record<string, (row: Row) => void>
  /** Turns a page on (1) or back (-1) when keys lead beyond the rows; returns true if that page exists. */
  onBeyond?: (direction: 1 | -1) => boolean
  /** True while the rows are those of the previous page, and the next is loading. */
  busy?: boolean
  empty?: ReactNode
  /** With a height, the table scrolls below its head. */
  className?: string
}

/** A table. On a phone, each row becomes a small card with the heads beside the values. */
export function Table<Row>({
  caption,
  columns,
  rows,
  expected = 10,
  keyOf,
  sort,
  onSort,
  onOpen,
  selection,
  keys,
  onBeyond,
  busy,
  empty,
  className = '',
}: Props<Row>) {
  const [activeIndex, setActiveIndex] = useState(0)
  const actionsOn = (row: Row): Record<string, () => void> => ({
    ...Object.fromEntries(Object.entries(keys ?? {}).map(([key, act]) => [key, () => act(row)])),
    ...(onOpen && { Enter: () => onOpen(row) }),
    ...(selection && { x: () => selection.onChange(toggled(selection.chosen, keyOf(row))) }),
  })
  const body = useRef<HTMLTableSectionElement>(null)
  const entering = useRef<'firstElementChild' | 'lastElementChild'>(undefined)
  useEffect(() => {
    const end = entering.current
    if (!end || !rows || busy) return
    entering.current = undefined
    const row = body.current?.[end]
    // Leaves the focus alone if the user has moved it meanwhile.
    const isHere = document.activeElement === document.body || body.current?.contains(document.activeElement)
    if (isHere && row instanceof HTMLElement) row.focus()
  }, [rows, busy])
  function leavePage(direction: 1 | -1): boolean {
    const exists = onBeyond?.(direction) ?? false
    if (exists) entering.current = direction === 1 ? 'firstElementChild' : 'lastElementChild'
    return exists
  }
  if (rows?.length === 0 && empty) return <div className={frame}>{empty}</div>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll the table
    <div role="group" aria-label={caption} tabIndex={onOpen ? undefined : 0} className={`@container overflow-auto ${frame} ${className}`}>
      <table aria-busy={busy || !rows} className="w-full border-separate border-spacing-0 text-left @max-2xl:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-10 bg-sheet @max-2xl:block">
          <tr className="@max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:gap-x-4 @max-2xl:border-b @max-2xl:border-line @max-2xl:px-4">
            {selection && (
              <th
                scope="col"
                className="h-9 w-0 border-b border-line pl-4 @max-2xl:flex @max-2xl:w-auto @max-2xl:items-center @max-2xl:border-0 @max-2xl:pl-0"
              >
                <SelectAll rows={rows ?? []} keyOf={keyOf} selection={selection} />
              </th>
            )}
            {columns.map(column => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} className={`transition-opacity @max-2xl:block ${busy ? 'opacity-50' : ''}`}>
          {rows
            ? rows.map((row, index) => (
                <tr
                  key={keyOf(row)}
                  tabIndex={onOpen && (index === Math.min(activeIndex, rows.length - 1) ? 0 : -1)}
                  onFocus={() => setActiveIndex(index)}
                  onClick={onOpen && (event => !onControl(event) && onOpen(row))}
                  onKeyDown={onOpen && (event => pressOnRow(event, actionsOn(row), leavePage))}
                  className={`group/row @max-2xl:grid ${selection ? '@max-2xl:grid-cols-[auto_1fr_auto]' : '@max-2xl:grid-cols-[1fr_auto]'} @max-2xl:gap-x-4 @max-2xl:border-b @max-2xl:border-line @max-2xl:px-4 @max-2xl:py-3 @max-2xl:last:border-0 ${onOpen ? 'cursor-pointer -outline-offset-2 hover:bg-sunken' : ''}`}
                >
                  {selection && (
                    <td className={`${cell} w-0 pr-0! @max-2xl:w-auto ${cornered}`}>
                      <Checkbox
                        name="select"
                        label={<span className="sr-only">{selection.nameOf(row)}</span>}
                        checked={selection.chosen.has(keyOf(row))}
                        onChange={() => selection.onChange(toggled(selection.chosen, keyOf(row)))}
                      />
                    </td>
                  )}
                  {columns.map((column, index) => (
                    <td
                      key={column.key}
                      data-head={column.head}
                      className={`${cell} ${inCard(column, index)} ${alignment(column)} ${hiding(column)}`}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))
            : skeletonRows(expected, columns, selection !== undefined)}
        </tbody>
      </table>
    </div>
  )
}

const frame = 'rounded-lg border border-line bg-sheet'
const cell =
  'h-(--row) max-w-72 truncate border-b border-line px-2.5 text-[0.8125rem] first:pl-4 last:pr-4 group-last/row:border-0 @max-2xl:flex @max-2xl:h-auto @max-2xl:min-h-7 @max-2xl:max-w-none @max-2xl:items-center @max-2xl:border-0 @max-2xl:p-0! @max-2xl:text-base'
/** Puts the first column and the buttons into the first line of a phone's card. The others have a line each, with heads. */
const cornered = '@max-2xl:row-start-1'
const labelled =
  '@max-2xl:col-span-full @max-2xl:justify-between @max-2xl:gap-4 @max-2xl:before:text-sm @max-2xl:before:text-quiet @max-2xl:before:content-[attr(data-head)]'

const inCard = (column: { hideHead?: boolean }, index: number): string => (index === 0 || column.hideHead ? cornered : labelled)
const alignment = ({ align }: { align?: 'end' }): string => (align === 'end' ? 'text-right' : '')
const hiding = ({ hide }: { hide?: 'narrow' | 'medium' }): string =>
  hide === 'medium' ? '@max-5xl:hidden' : hide === 'narrow' ? '@max-3xl:hidden' : ''

function SelectAll<Row>({ rows, keyOf, selection }: { rows: readonly Row[]; keyOf: (row: Row) => string; selection: Selection<Row> }) {
  const { words } = useWords()
  const here = rows.map(keyOf)
  const selectedCount = here.filter(key => selection.chosen.has(key)).length
  const others = [...selection.chosen].filter(key => !here.includes(key))
  return (
    <Checkbox
      name="selectAll"
      label={<span className="sr-only">{words('ui.table.select_all')}</span>}
      checked={selectedCount > 0 && selectedCount === here.length}
      indeterminate={selectedCount > 0 && selectedCount < here.length}
      onChange={all => selection.onChange(new Set(all ? [...others, ...here] : others))}
    />
  )
}

function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(key)) next.add(key)
  return next
}

type HeadProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined }

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { key, head, sortable, hideHead } = column
  const order = sort?.key === key ? sort.order : undefined
  const stacked = sortable ? '' : '@max-2xl:sr-only'
  return (
    <th
      scope="col"
      aria-sort={sortable ? (order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none') : undefined}
      className={`h-9 border-b border-line px-2.5 text-xs first:pl-4 last:pr-4 font-medium whitespace-nowrap text-quiet @max-2xl:border-0 @max-2xl:px-0 ${alignment(column)} ${hiding(column)} ${stacked}`}
    >
      {sortable && onSort ? (
        <button
          type="button"
          onClick={() => onSort({ key, order: order === 'asc' ? 'desc' : 'asc' })}
          className={`-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-sm px-1.5 hover:text-ink pointer-coarse:min-h-11 ${order ? 'text-ink' : ''}`}
        >
          {head}
          <Icon name={order === 'asc' ? 'chevron-up' : order === 'desc' ? 'chevron-down' : 'sort'} className="size-3.5" />
        </button>
      ) : (
        <span className={hideHead ? 'sr-only' : ''}>{head}</span>
      )}
    </th>
  )
}

function skeletonRows<Row>(count: number, columns: readonly Column<Row>[], selectable: boolean): ReactNode {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} className="group/row">
      {selectable && (
        <td className={`${cell} w-0 pr-0! before:hidden`}>
          <Skeleton className="size-4" />
        </td>
      )}
      {columns.map(column => (
        <td key={column.key} className={`${cell} ${hiding(column)} before:hidden`}>
          <Skeleton className="h-3.5 w-3/5 @max-2xl:w-full" />
        </td>
      ))}
    </tr>
  ))
}

/** True for a click on a control, or one that ends a text selection: neither opens the row. */
const onControl = ({ target }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a, button, input, label') !== null) || window.getSelection()?.type === 'Range'

/** Handles a key on a row: moves the focus or runs an action. The keys j and k work like the arrow keys. */
function pressOnRow(
  event: KeyboardEvent<HTMLElement>,
  actions: Record<string, () => void>,
  leavePage: (direction: 1 | -1) => boolean,
): void {
  const { currentTarget: row, target, key } = event
  if (target !== row || event.ctrlKey || event.metaKey || event.altKey) return
  const body = row.parentElement
  const to = {
    ArrowDown: row.nextElementSibling,
    j: row.nextElementSibling,
    ArrowUp: row.previousElementSibling,
    k: row.previousElementSibling,
    Home: body?.firstElementChild,
    End: body?.lastElementChild,
  }[key]
  const act = actions[key]
  if (act) act()
  else if (to instanceof HTMLElement) to.focus()
  else if (to !== null || !leavePage(key === 'j' || key === 'ArrowDown' ? 1 : -1)) return
  event.preventDefault()
}
