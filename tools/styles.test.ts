import { expect, test } from 'vitest'
import { trackedFiles } from './counts/sources.ts'

/** Returns the selectors of a style sheet without what their brackets hold. */
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

/** True if the element that a selector picks in the end has a name, a class, an id or an attribute. */
const isNamed = (selector: string): boolean => /^[a-z&]|[.#[]|:has/.test(selector.split(/[\s>+~]+/).at(-1) ?? '')

// The browser collects what all :has() rules of a page may style. A single one that may be any element makes it style the whole page anew
// whenever something comes or goes: 40 ms a key in the form of 200 travellers.
test('an element styled by what another one has is picked by its name, class, id or attribute', () => {
  // Paper takes no keys.
  const sheets = trackedFiles(['css']).filter(({ path }) => path !== 'portal/shell/print.css')
  const asked = sheets.flatMap(({ path, text }) => selectorsOf(text).map(selector => ({ path, selector })))
  const conditional = asked.filter(({ selector }) => selector.includes(':has'))
  expect(conditional.length).toBeGreaterThan(10)
  expect(conditional.filter(({ selector }) => !isNamed(selector))).toEqual([])
})
