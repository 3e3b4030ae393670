import { patience } from '#tools/suite/patience.ts'
import { isVisible, noteKey, topDialog } from './testing-dom.ts'
import { press, type } from './testing-keys.ts'
import { nameOf, spaced, withRole } from './testing-names.ts'

type Text = string | RegExp
type NameOptions = { name?: Text; exact?: boolean; checked?: boolean; level?: number }

/** The real timer, as a test may stop the clock. */
const delay = setTimeout

/** Waits for two frames, as a user sees a change before reacting to it. React has then run the effects of its rendering. */
export async function drawn(): Promise<void> {
  for (let frames = 0; frames < 2; frames++) await new Promise(resolve => delay(resolve, 2))
}

/** Waits until the function returns something. */
export async function until<Found>(look: () => Found | undefined, otherwise: () => string): Promise<Found> {
  for (const end = performance.now() + patience; ; await new Promise(resolve => delay(resolve, 2))) {
    const found = look()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(otherwise())
  }
}

/** Removes spaces: without styles it is unknown which parts of a text are separate. */
const dense = (text: string): string => text.replaceAll(/\s/g, '')

function fits(wanted: Text, text: string, exact = false): boolean {
  if (typeof wanted !== 'string') return wanted.test(text)
  return exact ? dense(text) === dense(wanted) : dense(text).toLowerCase().includes(dense(wanted).toLowerCase())
}

// Safe: the page has no other elements.
const elementsIn = (element: HTMLElement): HTMLElement[] => [...element.children] as HTMLElement[]

/** Elements of the page, found anew at each use, like Playwright's locators. */
export class Locator {
  readonly #find: () => HTMLElement[]
  readonly description: string
  constructor(find: () => HTMLElement[], description: string) {
    this.#find = find
    this.description = description
  }
  #derive(find: (all: HTMLElement[]) => HTMLElement[], description: string): Locator {
    return new Locator(() => find(this.#find()), `${this.description} ${description}`)
  }
  #inside(find: (element: HTMLElement) => HTMLElement[], description: string): Locator {
    return this.#derive(all => [...new Set(all.flatMap(find))], description)
  }

  locator(selector: string, { hasText }: { hasText?: Text } = {}): Locator {
    const found =
      selector === '..'
        ? this.#inside(each => (each.parentElement ? [each.parentElement] : []), '..')
        : this.#inside(each => [...each.querySelectorAll<HTMLElement>(selector)], selector)
    return hasText === undefined ? found : found.filter({ hasText })
  }
  getByRole(role: string, { name, exact, checked, level }: NameOptions = {}): Locator {
    return this.#inside(
      each =>
        withRole(each, role).filter(
          found =>
            isVisible(found) &&
            !found.closest('[aria-hidden=true]') &&
            (name === undefined || fits(name, nameOf(found), exact)) &&
            (checked === undefined || isChecked(found) === checked) &&
            (level === undefined || found.localName === `h${level}`),
        ),
      `${role}${name === undefined ? '' : ` ${name}`}`,
    )
  }
  getByText(text: Text, { exact }: { exact?: boolean } = {}): Locator {
    const smallest = (element: HTMLElement): HTMLElement[] => {
      const within = elementsIn(element).flatMap(smallest)
      return within.length > 0 ? within : fits(text, spaced(element.textContent ?? ''), exact) ? [element] : []
    }
    return this.#inside(smallest, `text ${text}`)
  }
  getByLabel(label: Text, { exact }: { exact?: boolean } = {}): Locator {
    return this.#inside(
      each =>
        [...each.querySelectorAll<HTMLElement>('input, select, textarea, [aria-label]')].filter(found => fits(label, nameOf(found), exact)),
      `label ${label}`,
    )
  }
  filter({ hasText, has, visible }: { hasText?: Text; has?: string; visible?: boolean }): Locator {
    return this.#derive(
      all =>
        all.filter(
          each =>
            (hasText === undefined || fits(hasText, spaced(each.textContent ?? ''))) &&
            (has === undefined || each.querySelector(has) !== null) &&
            (!visible || isVisible(each)),
        ),
      `with ${hasText ?? has ?? 'visible'}`,
    )
  }
  and(other: Locator): Locator {
    return this.#derive(all => all.filter(each => other.now().includes(each)), `and ${other.description}`)
  }
  first(): Locator {
    return this.nth(0)
  }
  last(): Locator {
    return this.#derive(all => all.slice(-1), 'last')
  }
  nth(index: number): Locator {
    return this.#derive(all => all.slice(index, index + 1), `nth ${index}`)
  }

  /** Returns the elements found now. */
  now(): HTMLElement[] {
    return this.#find()
  }
  count(): number {
    return this.now().length
  }
  /** Returns the one reachable element, once the page has rendered earlier changes. */
  async #target(isReady: (element: HTMLElement) => boolean = isReachable): Promise<HTMLElement> {
    await this.one(isReady)
    await drawn()
    return this.one(isReady)
  }
  /** Returns the one element once it is there. */
  async one(isReady: (element: HTMLElement) => boolean = () => true): Promise<HTMLElement> {
    return until(
      () => {
        const [found, ...more] = this.now()
        if (more.length > 0) throw new Error(`${more.length + 1} are ${this.description}`)
        return found && isReady(found) ? found : undefined
      },
      () => `waited in vain for ${this.description}${this.count() > 0 ? ' to be within reach' : ''}`,
    )
  }
  async waitFor({ state = 'visible' }: { state?: 'visible' | 'attached' | 'detached' | 'hidden' } = {}): Promise<void> {
    const isGone = state === 'detached' || state === 'hidden'
    const counts = (each: HTMLElement) => state === 'attached' || state === 'detached' || isVisible(each)
    await until(
      () => (this.now().some(counts) !== isGone ? true : undefined),
      () => `waited in vain for ${this.description} to be ${state}`,
    )
  }
  async textContent(): Promise<string> {
    return (await this.one()).textContent ?? ''
  }
  async allTextContents(): Promise<string[]> {
    await Promise.resolve()
    return this.now().map(each => each.textContent ?? '')
  }
  async inputValue(): Promise<string> {
    // Safe: the test reads a field.
    return ((await this.one()) as HTMLInputElement).value
  }
  async getAttribute(name: string): Promise<string | null> {
    return (await this.one()).getAttribute(name)
  }

  async click(): Promise<void> {
    clickOn(await this.#target())
    await drawn()
  }
  async focus(): Promise<void> {
    const found = await this.#target()
    found.focus()
    await drawn()
  }
  async blur(): Promise<void> {
    const found = await this.one()
    found.blur()
    await drawn()
  }
  async fill(text: string): Promise<void> {
    const field = await this.#target(isEditable)
    field.focus()
    setValue(field, text)
    await drawn()
  }
  async press(key: string): Promise<void> {
    await this.focus()
    press(key)
    await drawn()
  }
  async pressSequentially(text: string): Promise<void> {
    await this.focus()
    type(text)
    await drawn()
  }
  async check(): Promise<void> {
    const found = await this.#target()
    if (!isChecked(found)) clickOn(found)
    await drawn()
  }
  async selectOption(wanted: string | { label: string }): Promise<void> {
    // Safe: the test chooses in a select.
    const select = (await this.#target(isEditable)) as HTMLSelectElement
    const option = [...select.options].find(each => (typeof wanted === 'string' ? each.value === wanted : each.text === wanted.label))
    if (!option) throw new Error(`${this.description} has no such option`)
    select.focus()
    setValue(select, option.value)
    await drawn()
  }
  async hover(): Promise<void> {
    const found = await this.#target()
    for (const name of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove'])
      found.dispatchEvent(new PointerEvent(name, { bubbles: !name.endsWith('enter'), pointerType: 'mouse' }))
    await drawn()
  }
  async unhover(): Promise<void> {
    const found = await this.#target()
    for (const name of ['pointerout', 'pointerleave', 'mouseout', 'mouseleave'])
      found.dispatchEvent(new PointerEvent(name, { bubbles: !name.endsWith('leave'), relatedTarget: document.body, pointerType: 'mouse' }))
    await drawn()
  }
  async setInputFiles(...files: File[]): Promise<void> {
    const input = await this.one()
    Object.defineProperty(input, 'files', { value: files, configurable: true })
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await drawn()
  }
}

export const isChecked = (element: Element): boolean =>
  'checked' in element ? element.checked === true : element.getAttribute('aria-checked') === 'true'

/** True if the user can press it: it is shown, enabled, and not behind a dialog. */
function isReachable(element: HTMLElement): boolean {
  const dialog = topDialog(window)
  return (
    isVisible(element) &&
    !element.matches(':disabled') &&
    (!dialog || dialog.contains(element) || element.closest('[popover=manual]') !== null)
  )
}

const isEditable = (element: HTMLElement): boolean => isReachable(element) && !element.hasAttribute('readonly')

/** Sets a field's value as the browser does for a user. It bypasses the property by which React notes its own changes. */
export function setValue(field: HTMLElement, value: string): void {
  if (!Reflect.set(Object.getPrototypeOf(field), 'value', value, field)) throw new Error(`a ${field.localName} has no value`)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }))
  if (field.localName === 'select') field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Clicks as a mouse does: pressed, focused, released, clicked. */
export function clickOn(element: HTMLElement, isByKeyboard = false): void {
  const options = { bubbles: true, cancelable: true, button: 0, detail: 1, pointerType: 'mouse' }
  if (!isByKeyboard) noteKey(false)
  element.dispatchEvent(new PointerEvent('pointerdown', options))
  const isFocusKept = !element.dispatchEvent(new MouseEvent('mousedown', options))
  const focused = element.closest<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex], label')
  if (!isFocusKept && focused?.localName !== 'label') {
    if (focused) focused.focus()
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  element.dispatchEvent(new PointerEvent('pointerup', options))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  element.dispatchEvent(new PointerEvent('click', options))
}
