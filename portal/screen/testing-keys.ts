import { noteKey, tabStops, topDialog } from './testing-dom.ts'
import { clickOn, setValue } from './testing-locator.ts'

/** The time of the last key, in milliseconds. A pressed key comes a second after it, as by a user who looks first, and typed keys come fast. */
let keyAt = 0
const [pressMs, typeMs] = [1000, 80]

/** Types a text into the focused element, key by key. */
export function type(text: string): void {
  for (const key of text) press(key, typeMs)
}

/** Presses a key, such as `Enter` or `Control+k`. The browser's default action follows unless the page prevents it. */
export function press(keys: string, afterMs = pressMs): void {
  const [key = '', ...modifiers] = (keys === '+' ? ['+'] : keys.split('+')).toReversed()
  const options = {
    key: key === 'Space' ? ' ' : key,
    bubbles: true,
    cancelable: true,
    ctrlKey: modifiers.includes('Control'),
    shiftKey: modifiers.includes('Shift'),
    altKey: modifiers.includes('Alt'),
    metaKey: modifiers.includes('Meta'),
  }
  noteKey(true)
  const target = document.activeElement instanceof HTMLElement ? document.activeElement : document.body
  keyAt += afterMs
  const goesOn = target.dispatchEvent(Object.defineProperty(new KeyboardEvent('keydown', options), 'timeStamp', { value: keyAt }))
  if (goesOn) act(target, options)
  const after = document.activeElement ?? document.body
  after.dispatchEvent(new KeyboardEvent('keyup', options))
}

function act(
  target: HTMLElement,
  { key, ctrlKey, altKey, metaKey, shiftKey }: { key: string } & Record<`${'ctrl' | 'alt' | 'meta' | 'shift'}Key`, boolean>,
): void {
  const isField = target.matches(
    'textarea:not([readonly]), input:not([readonly], [type=checkbox], [type=radio], [type=file], [type=button], [type=submit])',
  )
  // Safe: it is a field of text.
  if (isField && (ctrlKey || metaKey) && key === 'a') (target as HTMLInputElement).select()
  if (ctrlKey || altKey || metaKey) return
  if (key === 'Tab') moveFocus(target, shiftKey ? -1 : 1)
  else if (key === 'Escape') cancelDialog()
  else if (key === 'Enter') {
    if (target.matches('button, a[href], summary')) clickOn(target, true)
    else if (target.localName === 'textarea') insert(target, '\n')
    else if (target instanceof HTMLInputElement) target.form?.requestSubmit()
  } else if (key === ' ' && target.matches('button, summary, input[type=checkbox], input[type=radio]')) clickOn(target, true)
  else if (isField && key === 'Backspace') erase(target)
  else if (isField && key.length === 1) insert(target, key)
}

function insert(target: HTMLElement, text: string): void {
  // Safe: it is a field of text.
  const field = target as HTMLInputElement
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
  replace(field, start, end, text)
}

function erase(target: HTMLElement): void {
  // Safe: it is a field of text.
  const field = target as HTMLInputElement
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
  replace(field, start === end ? Math.max(0, start - 1) : start, end, '')
}

function replace(field: HTMLInputElement, start: number, end: number, text: string): void {
  const value = field.value.slice(0, start) + text + field.value.slice(end)
  const isAtEnd = end === field.value.length
  setValue(field, value)
  if (!isAtEnd && field.value === value) field.setSelectionRange(start + text.length, start + text.length)
}

function moveFocus(from: HTMLElement, by: 1 | -1): void {
  const stops = tabStops(window)
  const to = stops[(stops.indexOf(from) + by + stops.length) % stops.length]
  if (to) to.focus()
  else from.blur()
}

function cancelDialog(): void {
  const dialog = topDialog(window)
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
}
