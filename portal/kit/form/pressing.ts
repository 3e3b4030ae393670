let isPressed = false
let waiting: (() => void)[] = []

function press(): void {
  isPressed = true
}

function release(): void {
  const works = waiting
  isPressed = false
  waiting = []
  // The click comes first.
  setTimeout(() => {
    for (const work of works) work()
  })
}

window.addEventListener('pointerdown', press, { capture: true })
window.addEventListener('pointerup', release, { capture: true })
window.addEventListener('pointercancel', release, { capture: true })

/** At once, or when what is being pressed is let go: what moves meanwhile would slip away from under the pointer. */
export function whenReleased(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}
