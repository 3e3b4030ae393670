import { useEffect } from 'react'

/** Focuses the row of the page's list that the arrow keys start from; false if no row can be opened. */
export function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]')
  row?.focus()
  return row !== null
}

/** Lets j and k lead into the list from anywhere on the page; from there the rows have their own keys. */
export function useFirstRowKey(): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const isFree = event.target === document.body || (event.target instanceof Element && event.target.id === 'main')
      if (!isFree || event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'j' && event.key !== 'k')) return
      focusFirstRow()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
