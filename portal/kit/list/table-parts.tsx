import type { ReactNode } from 'react'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type Column<Row> = {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** The usual number of characters in a cell. It sets the column's width before the rows arrive, so that its heading does not move. */
  wide?: number
  sortable?: boolean
  align?: 'end'
  /** Hides the column in tables narrower than this many rem, but not in cards. A table never scrolls sideways, so that its last columns are whole. */
  hide?: 48 | 64 | 72 | 80
  /** Hides the heading of a column of buttons; screen readers still read it. */
  hideHead?: boolean
}

/** The sort order in the format of calls (spec 3, sortCriteria). */
export type Sort = { key: string; order: 'asc' | 'desc' }

/** The selected rows. `nameOf` labels the checkbox of a row. `started` shows the checkboxes on a phone before the first row is selected. */
export type Selection<Row> = {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  nameOf: (row: Row) => string
  started?: boolean
}

/** A row on a phone: two lines, each with a value at its end. */
export type Lines = { title: ReactNode; end: ReactNode; detail: ReactNode; state: ReactNode }

/** The totals of the whole list: its label, the sums by column, and the one that a phone shows. */
export type Foot = { label: ReactNode; sums: { [column: string]: ReactNode }; end: ReactNode }

const alignment = ({ align }: { align?: 'end' }): string => (align === 'end' ? 'text-right' : '')
const hiding = ({ hide }: { hide?: 48 | 64 | 72 | 80 }): string => (hide ? hidings[hide] : '')
const hidings = { 48: '@max-3xl:hidden', 64: '@max-5xl:hidden', 72: '@max-6xl:hidden', 80: '@max-7xl:hidden' }

const cell = 'h-(--row) max-w-72 truncate border-b border-hair px-2.5 text-[0.90625rem] first:pl-4 last:pr-4 group-last/row:border-0'
/** A cell of a phone's card. The first column and the buttons are in its first line. The others have a line each, with headings. */
const carded =
  '@max-2xl:flex @max-2xl:h-auto @max-2xl:min-h-7 @max-2xl:max-w-none @max-2xl:items-center @max-2xl:border-0 @max-2xl:p-0! @max-2xl:text-base'
const cornered = '@max-2xl:row-start-1'
const labelled =
  '@max-2xl:col-span-full @max-2xl:justify-between @max-2xl:gap-4 @max-2xl:before:text-sm @max-2xl:before:text-quiet @max-2xl:before:content-[attr(data-head)]'
const unlined = '@max-2xl:hidden'

type CellsProps<Row> = { row: Row; columns: readonly Column<Row>[]; lines: ((row: Row) => Lines) | undefined }

/** The cells of a row. With `lines`, a phone shows one cell of two lines instead. */
export function Cells<Row>({ row, columns, lines }: CellsProps<Row>) {
  const placeOf = (column: Column<Row>, index: number): string =>
    lines ? unlined : `${carded} ${index === 0 || column.hideHead ? cornered : labelled}`
  return (
    <>
      {columns.map((column, index) => (
        <td
          key={column.key}
          data-column={column.key}
          data-head={lines ? undefined : column.head}
          className={`${cell} ${index === 0 ? 'font-semibold' : ''} ${placeOf(column, index)} ${alignment(column)} ${hiding(column)}`}
        >
          {column.cell(row)}
        </td>
      ))}
      {lines && <LinesCell lines={lines(row)} />}
    </>
  )
}

const LinesCell = ({ lines: { title, end, detail, state } }: { lines: Lines }) => (
  <td className="hidden min-w-0 flex-1 gap-x-3 gap-y-0.5 px-4 py-2 @max-2xl:grid @max-2xl:grid-cols-[minmax(0,1fr)_auto]">
    <span className="truncate font-semibold has-[+:empty]:col-span-2">{title}</span>
    <span className="text-right font-semibold empty:hidden">{end}</span>
    <span className="truncate text-sm text-quiet">{detail}</span>
    <span className="text-right">{state}</span>
  </td>
)

type SelectProps<Row> = { row: Row; keyOf: (row: Row) => string; selection: Selection<Row>; inLines: boolean }

export function SelectCell<Row>({ row, keyOf, selection, inLines }: SelectProps<Row>) {
  const place = inLines
    ? isSelecting(selection)
      ? '@max-2xl:w-auto @max-2xl:self-center @max-2xl:border-0'
      : unlined
    : `${carded} @max-2xl:w-auto ${cornered}`
  return (
    <td className={`${cell} w-0 pr-0! ${place}`}>
      <Checkbox
        name="select"
        label={<span className="sr-only">{selection.nameOf(row)}</span>}
        checked={selection.chosen.has(keyOf(row))}
        onChange={() => selection.onChange(toggled(selection.chosen, keyOf(row)))}
      />
    </td>
  )
}

/** On a phone with two-line rows, checkboxes are shown only while rows are being selected. */
const isSelecting = <Row,>({ chosen, started }: Selection<Row>): boolean => started === true || chosen.size > 0

export function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(key)) next.add(key)
  return next
}

type HeadsProps<Row> = {
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  selection: Selection<Row> | undefined
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  inLines: boolean
}

export function Heads<Row>({ columns, rows, keyOf, selection, sort, onSort, inLines }: HeadsProps<Row>) {
  return (
    <thead className={`sticky top-0 z-10 bg-sheet ${inLines ? unlined : '@max-2xl:block'}`}>
      <tr
        className={
          inLines
            ? ''
            : '@max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:gap-x-4 @max-2xl:border-b @max-2xl:border-line @max-2xl:px-4'
        }
      >
        {selection && (
          <th
            scope="col"
            className="h-8 w-0 border-b border-line pl-4 @max-2xl:flex @max-2xl:w-auto @max-2xl:items-center @max-2xl:border-0 @max-2xl:pl-0"
          >
            <SelectAll rows={rows ?? []} keyOf={keyOf} selection={selection} />
          </th>
        )}
        {columns.map(column => (
          <Head key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

function SelectAll<Row>({ rows, keyOf, selection }: { rows: readonly Row[]; keyOf: (row: Row) => string; selection: Selection<Row> }) {
  const { words } = useWords()
  const here = rows.map(keyOf)
  const selectedCount = here.filter(key => selection.chosen.has(key)).length
  const others = [...selection.chosen].filter(key => !here.includes(key))
  return (
    <Checkbox
      name="selectAll"
      label={<span className="sr-only">{words('panel.table.select_all')}</span>}
      checked={selectedCount > 0 && selectedCount === here.length}
      indeterminate={selectedCount > 0 && selectedCount < here.length}
      onChange={all => selection.onChange(new Set(all ? [...others, ...here] : others))}
    />
  )
}

type HeadProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined }

/** A heading that sorts. Only the sorted one has an icon; the others look like buttons under the pointer. */
function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { key, head, sortable, hideHead, wide } = column
  const order = sort?.key === key ? sort.order : undefined
  const stacked = sortable ? '' : '@max-2xl:sr-only'
  return (
    <th
      scope="col"
      style={wide === undefined ? undefined : { width: widthOf(wide) }}
      aria-sort={sortable ? (order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none') : undefined}
      className={`h-8 border-b border-line px-2.5 text-sm font-normal first:pl-4 last:pr-4 whitespace-nowrap text-faint @max-2xl:border-0 @max-2xl:px-0 ${alignment(column)} ${hiding(column)} ${stacked}`}
    >
      {sortable && onSort ? (
        <button
          type="button"
          onClick={() => onSort({ key, order: order === 'asc' ? 'desc' : 'asc' })}
          className={`-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-sm px-1.5 hover:text-ink pointer-coarse:min-h-11 ${order ? 'font-semibold text-ink' : ''}`}
        >
          {head}
          {order && <Icon name={order === 'asc' ? 'chevron-up' : 'chevron-down'} className="size-3.5" />}
        </button>
      ) : (
        <span className={hideHead ? 'sr-only' : ''}>{head}</span>
      )}
    </th>
  )
}

/** A cell has a padding of three characters. */
const widthOf = (characters: number): string => `${characters + 3}ch`

type FootProps<Row> = { foot: Foot; columns: readonly Column<Row>[]; selectable: boolean }

/** The totals of the whole list, under their columns. */
export function FootRow<Row>({ foot: { label, sums, end }, columns, selectable }: FootProps<Row>) {
  return (
    <tfoot className="@max-2xl:block">
      <tr className="@max-2xl:flex @max-2xl:justify-between @max-2xl:gap-4 @max-2xl:px-4">
        {selectable && <td aria-hidden="true" className={`${footCell} ${unlined}`} />}
        {columns.map((column, index) => (
          <td
            key={column.key}
            className={`${footCell} ${index === 0 ? 'max-w-0 whitespace-nowrap @max-2xl:max-w-none @max-2xl:whitespace-normal' : unlined} ${alignment(column)} ${hiding(column)}`}
          >
            {index === 0 ? label : sums[column.key]}
          </td>
        ))}
        <td className={`${footCell} hidden @max-2xl:block`}>{end}</td>
      </tr>
    </tfoot>
  )
}

const footCell =
  'h-10 border-t border-line px-2.5 font-semibold first:pl-4 last:pr-4 @max-2xl:h-auto @max-2xl:border-0 @max-2xl:px-0! @max-2xl:py-2.5'

type SkeletonProps<Row> = { count: number; columns: readonly Column<Row>[]; selectable: boolean; inLines: boolean }

export function SkeletonRows<Row>({ count, columns, selectable, inLines }: SkeletonProps<Row>) {
  const lines = { title: <Skeleton className="h-3.5 w-3/5" />, detail: <Skeleton className="h-3.5 w-2/5" />, end: null, state: null }
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} className="group/row @max-2xl:border-b @max-2xl:border-hair">
      {selectable && (
        <td className={`${cell} w-0 pr-0! ${inLines ? unlined : `${carded} before:hidden`}`}>
          <Skeleton className="size-4" />
        </td>
      )}
      {columns.map(column => (
        <td key={column.key} className={`${cell} ${inLines ? unlined : `${carded} before:hidden`} ${hiding(column)}`}>
          <Skeleton className="h-3.5 w-3/5 @max-2xl:w-full" />
          {column.wide !== undefined && <div style={{ width: `${column.wide}ch` }} />}
        </td>
      ))}
      {inLines && <LinesCell lines={lines} />}
    </tr>
  ))
}
