import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { noteKeyUse } from '#portal/kit/page/key-hints.tsx'
import {
  Cells,
  type Column,
  type Foot,
  FootRow,
  Heads,
  type Lines,
  SelectCell,
  type Selection,
  SkeletonRows,
  type Sort,
  toggled,
} from './table-parts.tsx'

type Props<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  /** If undefined, skeletons are shown while the rows are loading. */
  rows: readonly Row[] | undefined
  expected?: number
  keyOf: (row: Row) => string
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** Opens a row by click, or by Enter on the focused row. */
  onOpen?: (row: Row) => void
  /** The key of the row that is open beside the list. It changes when keys move the focus to another row. */
  open?: string | undefined
  onFollow?: (row: Row) => void
  selection?: Selection<Row>
  /** The actions of letter keys on the focused row. If rows can be selected, x selects it. */
  keys?: Record<string, (row: Row) => void>
  /** Turns to the next (1) or previous (-1) page when keys move beyond the rows; returns true if that page exists. */
  onBeyond?: (direction: 1 | -1) => boolean
  /** True while the rows are those of the previous page, and the next is loading. */
  busy?: boolean
  empty?: ReactNode
  /** Shows two lines per row on a phone. Without it, each row becomes a small card there, with the headings beside the values. */
  lines?: (row: Row) => Lines
  foot?: Foot | undefined
  /** If it sets a height, the table scrolls below its heading. */
  className?: string
}

export function Table<Row>({
  caption,
  columns,
  rows,
  expected = 10,
  keyOf,
  sort,
  onSort,
  onOpen,
  open,
  onFollow,
  selection,
  keys,
  onBeyond,
  busy,
  empty,
  lines,
  foot,
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
  /** Focuses a row. If another one is open beside the list, this one replaces it. */
  function moveTo(element: Element) {
    if (!(element instanceof HTMLTableRowElement)) return
    element.focus()
    const row = rows?.[element.sectionRowIndex]
    if (row && open !== undefined && open !== keyOf(row)) onFollow?.(row)
  }
  useEffect(() => {
    const end = entering.current
    if (!end || !rows || busy) return
    entering.current = undefined
    const row = body.current?.[end]
    // Leaves the focus alone if the user has moved it meanwhile.
    const isHere = document.activeElement === document.body || body.current?.contains(document.activeElement)
    if (isHere && row) moveTo(row)
    // oxlint-disable-next-line react/exhaustive-deps -- `moveTo` is new at each render, and only the arrival of the rows counts
  }, [rows, busy])
  function leavePage(direction: 1 | -1): boolean {
    const exists = onBeyond?.(direction) ?? false
    if (exists) entering.current = direction === 1 ? 'firstElementChild' : 'lastElementChild'
    return exists
  }
  if (rows?.length === 0 && empty) return <div className={frame}>{empty}</div>
  const inLines = lines !== undefined
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll the table
    <div role="group" aria-label={caption} tabIndex={onOpen ? undefined : 0} className={`@container overflow-auto ${frame} ${className}`}>
      <table aria-busy={busy || !rows} className="w-full border-separate border-spacing-0 text-left @max-2xl:block">
        <caption className="sr-only">{caption}</caption>
        <Heads columns={columns} rows={rows} keyOf={keyOf} selection={selection} sort={sort} onSort={onSort} inLines={inLines} />
        <tbody ref={body} className={`transition-opacity @max-2xl:block ${busy ? 'opacity-50' : ''}`}>
          {rows ? (
            rows.map((row, index) => (
              <tr
                key={keyOf(row)}
                data-key={keyOf(row)}
                {...(onOpen &&
                  (index === Math.min(activeIndex, rows.length - 1) ? { tabIndex: 0, ...shortcut('rows') } : { tabIndex: -1 }))}
                aria-current={open === keyOf(row) || undefined}
                onFocus={() => setActiveIndex(index)}
                onClick={onOpen && (event => !onControl(event) && onOpen(row))}
                onKeyDown={onOpen && (event => pressOnRow(event, actionsOn(row), moveTo, leavePage))}
                className={`${rowLook} ${inLines ? lined : selection ? `${carded} @max-2xl:grid-cols-[auto_1fr_auto]` : `${carded} @max-2xl:grid-cols-[1fr_auto]`} ${open === keyOf(row) || selection?.chosen.has(keyOf(row)) ? marked : onOpen ? 'hover:bg-sunken' : ''} ${onOpen ? 'cursor-pointer -outline-offset-2' : ''}`}
              >
                {selection && <SelectCell row={row} keyOf={keyOf} selection={selection} inLines={inLines} />}
                <Cells row={row} columns={columns} lines={lines} />
              </tr>
            ))
          ) : (
            <SkeletonRows count={expected} columns={columns} selectable={selection !== undefined} inLines={inLines} />
          )}
        </tbody>
        {foot && <FootRow foot={foot} columns={columns} selectable={selection !== undefined} />}
      </table>
    </div>
  )
}

const frame = 'rounded-lg border border-hair bg-sheet shadow-low'
const rowLook = 'group/row @max-2xl:border-b @max-2xl:last:border-0'
const lined = '@max-2xl:flex @max-2xl:border-hair'
const carded = '@max-2xl:grid @max-2xl:gap-x-4 @max-2xl:border-line @max-2xl:px-4 @max-2xl:py-3'
/** The open row and the selected ones. */
const marked = 'marked bg-accent-soft'

/** True for a click on a control, or one that ends a text selection, as neither opens the row. */
const onControl = ({ target }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a, button, input, label') !== null) || window.getSelection()?.type === 'Range'

/** Handles a key on a row: moves the focus or runs an action. The keys j and k work like the arrow keys. */
function pressOnRow(
  event: KeyboardEvent<HTMLElement>,
  actions: Record<string, () => void>,
  moveTo: (row: Element) => void,
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
  else if (to) moveTo(to)
  else if (to !== null || !leavePage(key === 'j' || key === 'ArrowDown' ? 1 : -1)) return
  event.preventDefault()
  noteKeyUse('list')
}
