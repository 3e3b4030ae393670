import { useEffect, useEffectEvent } from 'react'
import { isTypingIn } from '#portal/kit/is-typing.ts'

type Keys = {
  palette: () => void
  /** A hand is on its way to Ctrl+K. */
  nearPalette: () => void
  help: () => void
}

/** The keys that work everywhere (design: `/` search, `?` keys, Ctrl+K palette); none of them while something is typed or asked. */
export function useKeys({ palette, nearPalette, help }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
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
      // What was looked for before gives way to what is typed now.
      search?.select()
      if (!search) palette()
    }
    if (event.key === '?') {
      event.preventDefault()
      help()
    }
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
