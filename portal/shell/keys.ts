import { useEffect, useEffectEvent } from 'react'
import { isFree, keysOf, pressShortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'

type Keys = {
  palette: () => void
  /** Runs when Control or Meta is pressed, as K may follow. */
  nearPalette: () => void
  help: () => void
  /** Runs if the page has no control for a new sale. */
  sale: () => void
  commission: () => void
}

/** Handles the shortcuts of all pages. They do nothing while a dialog is open. */
export function useKeys({ palette, nearPalette, help, sale, commission }: Keys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Control' || event.key === 'Meta') nearPalette()
    const keys = keysOf(event)
    if (!keys || !isFree(event, keys) || (keys.length === 1 && !useAppearance.getState().letterKeys)) return
    if (keys === shortcuts.commission) {
      // Works even in a window, as the client may be looking at it.
      event.preventDefault()
      commission()
    } else if (document.querySelector('dialog:modal')) {
      // These keys open the browser's own search.
      if (keys === shortcuts.palette) event.preventDefault()
    } else if (!pressShortcut(event, keys)) {
      // A page without its own search is searched by the palette.
      const run = { [shortcuts.palette]: palette, [shortcuts.search]: palette, [shortcuts.help]: help, [shortcuts.sale]: sale }[keys]
      if (run) event.preventDefault()
      run?.()
    }
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
