let isDown = false
let waiting: (() => void)[] = []

function onDown(): void {
  isDown = true
}

function onUp(): void {
  const works = waiting
  isDown = false
  waiting = []
  // The timer lets the click event come first.
  setTimeout(() => {
    for (const work of works) work()
  })
}

window.addEventListener('pointerdown', onDown, { capture: true })
window.addEventListener('pointerup', onUp, { capture: true })
window.addEventListener('pointercancel', onUp, { capture: true })

/**
 * Runs the work when the pressed pointer is released, as nothing may move away from under it. Without a pointer it runs once the next field has the
 * visible focus. That must not wait for the rules of the field that was left.
 */
export function whenReleased(work: () => void): void {
  if (isDown) waiting.push(work)
  else requestAnimationFrame(() => setTimeout(work))
}
