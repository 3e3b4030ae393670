import { isTypingIn } from './shortcuts.ts'

/*
 * Stops letters, Space and Enter outside of fields while the user types. Text that is typed ahead of the page would otherwise press the button, follow
 * the link or run the shortcut that has the focus by then. Typing begins with any key in a field. It ends half a second after its last key, or when
 * the pointer is pressed. An up or down arrow ends it, too. Keys with Control always work. Loading this file starts the guard.
 */

/** The pause that ends typing, in milliseconds (decision 92). */
const pauseMs = 500

/** The time of the last key that was typed in a field, or after it without a pause. */
let typedAt = -Infinity
/** True if the last key typed a character. */
let isAfterText = false
/** The key that is held down and was stopped. */
let stopped = ''

function onKeyDown(event: KeyboardEvent): void {
  const isInField = isTypingIn(event.target)
  const isOwnSpace = event.key === ' ' && event.target instanceof HTMLInputElement && !isAfterText
  isAfterText = isText(event)
  stopped = ''
  // An arrow leads from a field to what it lists, and a key chooses there.
  if (isInField && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) return endTyping()
  if (!isInField && (isOwnSpace || !isTyped(event) || event.timeStamp - typedAt >= pauseMs)) return
  // Stopped text is still typed, so the text after it is stopped, too. A stopped Enter may be pressed again.
  if (event.key !== 'Enter' || isInField) typedAt = event.timeStamp
  if (isInField) return
  stopped = event.key
  stop(event)
}

/** A browser may press a button when Space is released. */
function onKeyUp(event: KeyboardEvent): void {
  if (event.key === stopped) stop(event)
}

function endTyping(): void {
  typedAt = -Infinity
}

/** True for a key that types a character or a line. */
const isTyped = (event: KeyboardEvent): boolean => isText(event) || (event.key === 'Enter' && !hasModifier(event))

const isText = (event: KeyboardEvent): boolean => event.key.length === 1 && !hasModifier(event)

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey

function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

window.addEventListener('keydown', onKeyDown, { capture: true })
window.addEventListener('keyup', onKeyUp, { capture: true })
window.addEventListener('pointerdown', endTyping, { capture: true })
