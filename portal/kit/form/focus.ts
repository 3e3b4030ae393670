/** Matches a required field without input, a refused one, and a control that is marked. */
const needy = ':is(input, select, textarea):is(:invalid, [aria-invalid=true]), [data-needed]'

/**
 * Focuses the first field of the page that needs input; else the first field; on a page without fields, its content. On a touch screen the focus
 * stays, as a focused field would open the keyboard.
 */
export function focusFirstField(): void {
  if (matchMedia('(pointer: coarse)').matches) return
  const main = document.querySelector('main')
  const fields = [
    ...(main?.querySelectorAll<HTMLElement>(':is(input, select, textarea, [data-needed]):enabled:not([aria-disabled=true])') ?? []),
  ]
  const target = fields.find(each => each.matches(needy)) ?? fields[0] ?? main
  target?.focus()
}

/**
 * Focuses the first field with a problem. A closed part is opened by its button, which is marked, and then focuses its own field. Returns false if
 * there is none.
 */
export function focusFirstProblem(within = document.querySelector<HTMLElement>('main')): boolean {
  const first = within?.querySelector<HTMLElement>(':is([aria-invalid=true], [data-mend])')
  if (first?.matches('[data-mend]')) first.click()
  else first?.focus()
  return Boolean(first)
}
