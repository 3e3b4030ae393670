import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { noteKeyUse } from '#portal/kit/page/key-hints.tsx'
import { namesAt, type PeopleForm, type PersonNames } from '../people-form.ts'

type Cell = { place: number; column: keyof PersonNames; element: HTMLInputElement | HTMLSelectElement }

/**
 * Returns the handlers of a sheet's keys. Enter moves to the next row, to the column in which this row was begun. Ctrl+D copies from above, Alt with
 * an arrow moves the row, and Alt+Delete removes it. Tab needs no handler.
 */
export function useSheetKeys(
  form: RulesForm<PeopleForm>,
  onMove: (place: number, by: -1 | 1) => void,
  onRemove: (place: number, column: string) => void,
) {
  const column = useRef<string>('name')
  const isTab = useRef(false)
  return {
    onFocus(event: FocusEvent<HTMLElement>) {
      const cell = cellOf(event.target)
      if (!cell) return
      // After Tab within a row, the next row still begins where this one did.
      if (!isTab.current || !event.currentTarget.contains(event.relatedTarget)) column.current = cell.column
      isTab.current = false
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      isTab.current = event.key === 'Tab'
      const cell = cellOf(event.target)
      if (!cell || event.defaultPrevented) return
      const isControl = event.ctrlKey || event.metaKey
      if (event.key === 'Enter' && !isControl && !event.altKey) {
        event.preventDefault()
        const next = cellAt(event.currentTarget, cell.place + (event.shiftKey ? -1 : 1), column.current)
        if (next instanceof HTMLInputElement) next.select()
        next?.focus()
        // Enter in the last row focuses the button that continues.
        if (!next && !event.shiftKey) document.querySelector<HTMLElement>('[data-foot] [aria-keyshortcuts="Control+Enter"]')?.focus()
      } else if (isControl && !event.shiftKey && event.key.toLowerCase() === 'd') {
        event.preventDefault()
        copyFromAbove(form, cell)
      } else if (event.altKey && !isControl && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
        event.preventDefault()
        onMove(cell.place, event.key === 'ArrowUp' ? -1 : 1)
      } else if (event.altKey && !isControl && event.key === 'Delete') {
        event.preventDefault()
        // A key that is held down removes one row.
        if (!event.repeat && cell.place > 0) onRemove(cell.place, cell.column)
      }
      if (event.defaultPrevented) noteKeyUse('sheet')
    },
  }
}

export function cellOf(target: EventTarget | null): Cell | undefined {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return undefined
  const place = target.closest<HTMLElement>('[data-place]')?.dataset['place']
  // Safe: cells.tsx marks each cell with its column.
  const column = target.dataset['column'] as keyof PersonNames | undefined
  return place === undefined || !column ? undefined : { place: Number(place), column, element: target }
}

export const cellAt = (list: Element, place: number, column: string): HTMLElement | null =>
  list.querySelector<HTMLElement>(`[data-place="${place}"] [data-column="${column}"]`)

function copyFromAbove(form: RulesForm<PeopleForm>, { place, column }: Cell): void {
  if (place === 0) return
  const name = namesAt(place)[column]
  form.setValue(name, form.getValues(namesAt(place - 1)[column]), { shouldDirty: true, shouldTouch: true })
  if (form.getFieldState(name).invalid) void form.trigger(name)
}
