import type { Plugin } from 'vite'

/** With a space where the style is not minified. */
const start = /@layer properties ?\{/

/** Rules for browsers that mix colours. */
const mixed = /@supports \(color: ?color-mix\(in lab, ?red, ?red\)\) ?\{((?:[^{}]+\{[^{}]*\})+)\s*\}/g

/** A rule with one colour for other browsers, before the mixed one. */
const unmixed = /([^{}]+)\{([\w-]+):[^;{}]+\}(?=\1\{\2:color-mix)/g

/**
 * Removes code that Tailwind adds to the first style for browsers without `@property` or `color-mix`. All that the portal supports have these
 * (`cssTarget`), and every page would load it.
 */
export const currentBrowsers = (): Plugin => ({
  name: 'portolan-current-browsers',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) => (id.endsWith('/style/theme.css') ? { code: withoutOld(code), map: null } : undefined),
})

function withoutOld(css: string): string {
  const found = start.exec(css)
  if (!found) throw new Error('theme.css has no @layer properties {…} to leave out')
  const from = found.index
  let depth = 1
  let to = from + found[0].length
  for (; depth > 0; to += 1) depth += css[to] === '{' ? 1 : css[to] === '}' ? -1 : 0
  return (css.slice(0, from) + css.slice(to)).replaceAll(mixed, '$1').replaceAll(unmixed, '')
}
