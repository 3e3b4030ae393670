import { useEffect, useRef, useState } from 'react'
import type { ListPage } from './use-list.ts'

/** Focuses the row of the page's list at which the arrow keys start; returns false if no row can be opened. */
export function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]')
  row?.focus()
  return row !== null
}

/** Returns the row of the page's list with this key. */
export const rowOf = (key: string): HTMLElement | null => document.querySelector<HTMLElement>(`main tr[data-key="${CSS.escape(key)}"]`)

type Options<Row> = {
  keyOf: (row: Row) => string
  /** The key of the row that is open beside the list. */
  open: string | undefined
  onFollow: (row: Row) => void
  turnTo: (page: number) => void
}

/** Returns the function that opens the next or previous row, even on the next page; undefined if the open row is not in the list. */
export function useStep<Row>({ rows, info, busy }: ListPage<Row>, { keyOf, open, onFollow, turnTo }: Options<Row>) {
  const entering = useRef<1 | -1>(undefined)
  useEffect(() => {
    const direction = entering.current
    if (!direction || !rows || busy) return
    entering.current = undefined
    const row = direction === 1 ? rows[0] : rows.at(-1)
    if (row) onFollow(row)
    // oxlint-disable-next-line react/exhaustive-deps -- `onFollow` is new at each render, and only the arrival of the rows counts
  }, [rows, busy])
  const index = open === undefined ? -1 : (rows?.findIndex(row => keyOf(row) === open) ?? -1)
  if (!rows || !info || index === -1) return undefined
  return (direction: 1 | -1) => {
    const row = rows[index + direction]
    const page = info.page + direction
    if (row) {
      onFollow(row)
      rowOf(keyOf(row))?.scrollIntoView({ block: 'nearest' })
    } else if (!busy && page >= 1 && page <= info.totalPages) {
      entering.current = direction
      turnTo(page)
    }
  }
}

/** The part of a panel that depends on the list beside it. */
export type PanelOf = { of: string; onStep: ((direction: 1 | -1) => void) | undefined; onClose: () => void }

/** Keeps the row that is open beside a list, in its latest state: `props` are for the list, `panel` is for the panel. */
export function useOpenRow<Row extends { uuid: string }>(list: ListPage<Row>, turnTo: (page: number) => void) {
  const [opened, setShown] = useState<Row>()
  const shown = list.rows?.find(({ uuid }) => uuid === opened?.uuid) ?? opened
  const onStep = useStep(list, { keyOf: uuidOf, open: shown?.uuid, onFollow: setShown, turnTo })
  const panel: PanelOf = { of: shown?.uuid ?? '', onStep, onClose: () => setShown(undefined) }
  return { shown, props: { keyOf: uuidOf, onOpen: setShown, open: shown?.uuid, onFollow: setShown }, panel }
}

const uuidOf = ({ uuid }: { uuid: string }): string => uuid
