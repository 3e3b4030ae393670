import { expect, test } from 'vitest'
import { trackedFiles } from './counts/sources.ts'

/** Returns the selectors of a style sheet without the contents of their brackets. */
function selectorsOf(css: string): string[] {
  const preludes = [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/[^{};]+(?=\{)/g)].map(([prelude]) => prelude.trim())
  return preludes
    .filter(prelude => !prelude.startsWith('@'))
    .flatMap(prelude => {
      let bare = prelude
      while (/\([^()]*\)/.test(bare)) bare = bare.replaceAll(/\([^()]*\)/g, '')
      return bare.split(',').map(selector => selector.trim())
    })
}

/** True if the element that a selector finally selects has a name, a class, an id or an attribute. */
const isNamed = (selector: string): boolean => /^[a-z&]|[.#[]|:has/.test(selector.split(/[\s>+~]+/).at(-1) ?? '')

// The browser collects the elements that all :has() rules of a page may style. One rule that may match any element makes it restyle the whole page
// whenever an element is added or removed. In the form of 200 travellers that costs 40 ms a key.
test('an element styled by :has() is selected by its name, class, id or attribute', () => {
  // A printed page handles no keys.
  const sheets = trackedFiles(['css']).filter(({ path }) => path !== 'portal/shell/print.css')
  const asked = sheets.flatMap(({ path, text }) => selectorsOf(text).map(selector => ({ path, selector })))
  const conditional = asked.filter(({ selector }) => selector.includes(':has'))
  expect(conditional.length).toBeGreaterThan(10)
  expect(conditional.filter(({ selector }) => !isNamed(selector))).toEqual([])
})
