let isPressed = false

for (const [name, pressed] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const)
  window.addEventListener(
    name,
    () => {
      isPressed = pressed
    },
    { capture: true },
  )

/** At once, or when what is being pressed is let go: what moves meanwhile would slip away from under the pointer. */
export function whenReleased(work: () => void): void {
  if (!isPressed) return work()
  // The click comes first.
  window.addEventListener('pointerup', () => setTimeout(work), { capture: true, once: true })
}
