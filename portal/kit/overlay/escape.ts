import { useEffect, useEffectEvent } from 'react'
import { isTypingIn } from '#portal/kit/shortcuts/shortcuts.ts'

/** Runs on Escape, wherever the focus is on the page. A window, a menu and a filled field handle that key themselves. */
export function useEscape(onEscape: (() => void) | undefined): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !onEscape || document.querySelector('dialog:modal')) return
    const { target } = event
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isField && isTypingIn(target) && target.value !== '') return
    event.preventDefault()
    onEscape()
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
