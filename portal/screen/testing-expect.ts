import { patience } from '#tools/suite/patience.ts'
import { isVisible } from './testing-dom.ts'
import { isChecked, type Locator, until } from './testing-locator.ts'
import { spaced } from './testing-names.ts'

type Text = string | RegExp
const same = (wanted: Text, text: string): boolean => (typeof wanted === 'string' ? spaced(wanted) === spaced(text) : wanted.test(text))
const valueOf = (element: Element): string => ('value' in element ? String(element.value) : '')

/** Waits until the screen shows what is expected: `await expectScreen(locator).toHaveText('…')`. */
export function expectScreen(locator: Locator) {
  return { ...matchers(locator, true), not: matchers(locator, false) }
}

function matchers(locator: Locator, isWanted: boolean) {
  const holds = async (what: string, check: (all: HTMLElement[]) => boolean, seen: (all: HTMLElement[]) => unknown) => {
    await until(
      () => (check(locator.now()) === isWanted ? true : undefined),
      () =>
        `${locator.description}: ${isWanted ? '' : 'not '}${what}, but it has ${JSON.stringify(seen(locator.now()))} after ${patience / 1000} s`,
    )
  }
  const ofOne = (what: string, check: (element: HTMLElement) => boolean, seen: (element: HTMLElement) => unknown) =>
    holds(
      what,
      all => all.length === 1 && all[0] !== undefined && check(all[0]),
      all => all.map(seen),
    )
  return {
    toHaveCount: (count: number) =>
      holds(
        `${count} times`,
        all => all.length === count,
        all => all.length,
      ),
    toHaveText: (text: Text | string[]) =>
      Array.isArray(text)
        ? holds(
            `texts ${text.join(', ')}`,
            all => JSON.stringify(all.map(({ textContent }) => spaced(textContent ?? ''))) === JSON.stringify(text.map(spaced)),
            all => all.map(({ textContent }) => textContent),
          )
        : ofOne(
            `text ${text}`,
            ({ textContent }) => same(text, textContent ?? ''),
            ({ textContent }) => textContent,
          ),
    toContainText: (text: string) =>
      ofOne(
        `contains ${text}`,
        ({ textContent }) => spaced(textContent ?? '').includes(spaced(text)),
        ({ textContent }) => textContent,
      ),
    toHaveValue: (value: Text) =>
      ofOne(`value ${value}`, each => (typeof value === 'string' ? valueOf(each) === value : value.test(valueOf(each))), valueOf),
    toHaveAttribute: (name: string, value?: Text) =>
      ofOne(
        `${name} ${value ?? ''}`,
        each => (value === undefined ? each.hasAttribute(name) : same(value, each.getAttribute(name) ?? '')),
        each => each.getAttribute(name),
      ),
    toBeFocused: () =>
      ofOne(
        'focused',
        each => each.ownerDocument.activeElement === each,
        each => each.ownerDocument.activeElement?.outerHTML.slice(0, 120),
      ),
    toBeChecked: () => ofOne('checked', isChecked, isChecked),
    toBeDisabled: () =>
      ofOne(
        'disabled',
        each => each.matches(':disabled') || each.getAttribute('aria-disabled') === 'true',
        each => each.outerHTML.slice(0, 120),
      ),
    toBeVisible: () => ofOne('visible', isVisible, isVisible),
  }
}
