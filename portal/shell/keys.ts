import { useEffect, useEffectEvent } from 'react'
import { isTypingIn } from '#portal/kit/is-typing.ts'

type Keys = {
  palette: () => void
  /** Runs when Control or Meta is pressed, as K may follow. */
  nearPalette: () => void
  help: () => void
}

/** Handles the shortcuts of all pages: `/` search, `?` help, Ctrl+K palette. They do nothing while a dialog is open. */
export function useKeys({ palette, nearPalette, help }: Keys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Control' || event.key === 'Meta') nearPalette()
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !event.altKey && !event.shiftKey) {
      event.preventDefault()
      if (!document.querySelector('dialog:modal')) palette()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTypingIn(event.target)) return
    if (document.querySelector('dialog:modal')) return
    if (event.key === '/') {
      event.preventDefault()
      const search = document.querySelector<HTMLInputElement>('main [type=search]')
      search?.focus()
      // Selects the previous search text, so that typing replaces it.
      search?.select()
      if (!search) palette()
    }
    if (event.key === '?') {
      event.preventDefault()
      help()
    }
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
