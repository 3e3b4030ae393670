/*
 * Keeps the focus where a part has failed. Its button to try again goes away when it is pressed, and would leave the focus nowhere. What is around the
 * message takes it, so that Tab leads to the part, or to the button of another failure. Loading this file starts it.
 */

const observer = new MutationObserver(takeFocus)

/** The elements around the message whose button was pressed last, that button first. */
let path: HTMLElement[] = []

function onClick(event: Event): void {
  observer.disconnect()
  path = event.composedPath().filter(each => each instanceof HTMLElement)
  if (path.some(isAlert)) observer.observe(document.body, { childList: true, subtree: true })
}

function takeFocus(): void {
  if (path[0]?.isConnected) return
  observer.disconnect()
  const around = path.slice(path.findIndex(isAlert) + 1).find(each => each.isConnected)
  if (!around || document.activeElement !== document.body) return
  around.tabIndex = -1
  around.classList.add('outline-none')
  around.focus({ preventScroll: true })
}

const isAlert = (element: HTMLElement): boolean => element.role === 'alert'

document.addEventListener('click', onClick)
