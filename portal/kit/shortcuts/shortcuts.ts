/**
 * The shortcuts of the pages, as `aria-keyshortcuts` writes them. Control is also the Mac's command key. A control with one is marked by `shortcut`,
 * and pressing the keys presses the control. None is a key of browsers. Screen readers have letters of their own, so the keys without Control can be
 * switched off (keys-help.tsx).
 */
export const shortcuts = {
  palette: 'Control+K',
  search: '/',
  help: '?',
  sale: 'n',
  paste: 'p',
  next: 'Control+Enter',
  save: 'Control+Shift+Enter',
  rows: 'j k',
  commission: 'Control+.',
  mail: 'e',
  offer: 'o',
  change: 'c',
  cancel: 'Delete',
} as const

/** Marks a control with its shortcut. */
export const shortcut = (name: keyof typeof shortcuts) => ({ 'aria-keyshortcuts': shortcuts[name] })

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Returns the pressed keys in the format of shortcuts. The Alt key belongs to browsers, and types characters. */
export function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string | undefined {
  if (altKey) return undefined
  if (!ctrlKey && !metaKey) return key
  return ['Control', ...(shiftKey ? ['Shift'] : []), key.length === 1 ? key.toUpperCase() : key].join('+')
}

/**
 * Presses the first control that is marked with these keys. Returns false if there is none. A typed letter or character belongs to its field, list or
 * menu, and any key to the link that it opens.
 */
export function pressShortcut(event: KeyboardEvent, keys: string): boolean {
  const control = document.querySelector<HTMLElement>(`[aria-keyshortcuts~="${CSS.escape(keys)}"]:not(:disabled)`)
  if (!control) return false
  event.preventDefault()
  // Moving the focus completes the typed field.
  control.focus()
  if (control instanceof HTMLInputElement) control.select()
  else if (control.matches('a, button')) control.click()
  return true
}

/** True if the keys are not input: not a letter in a field or menu, not held down, not for the focused element. */
export function isFree(event: KeyboardEvent, keys: string): boolean {
  if (event.repeat || event.isComposing) return false
  const { target } = event
  if (keys.startsWith('Control+')) return !(event.key === 'Enter' && target instanceof HTMLAnchorElement)
  return !event.defaultPrevented && !isTypingIn(target) && !(target instanceof Element && target.closest('[role=menu]'))
}

/** True if this element takes pressed keys as input, so that they are not shortcuts. */
export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
