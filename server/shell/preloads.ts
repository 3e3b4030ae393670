import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import * as z from 'zod/mini'
import type { Locale } from '#common/kit/locales.ts'
import { commonWords } from '#common/kit/words/words.ts'
import { home } from '#common/session/redirect.ts'
import { addressOfFirst } from '#common/shell/calls.ts'
import { isRoute, routes } from '#common/shell/routes.ts'

const page = z.object({ files: z.array(z.string()), rooms: z.array(z.string()) })
/** The list of files that the portal's build wrote. */
const manifest = z.object({ early: z.string(), firstReply: z.string(), words: z.string(), pages: z.record(z.string(), page) })

/** Returns the part of a page's head that names all its files. Without it the browser would find them step by step. */
export type Preloads = (path: string, locale: Locale, signedIn: boolean, query: string) => string

/** `font`: the path of the font. */
export function readPreloads(folder: string, font: string): Preloads {
  const file = join(folder, 'parts.json')
  const fontLink = `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">`
  if (!existsSync(file)) return () => fontLink
  const list = readFileSync(file, 'utf8')
  const { early, firstReply, words, pages } = manifest.parse(JSON.parse(list))
  // Each test opens an app, so the sizes are cached for as long as the list, which names files by their hash, is the same.
  if (known?.list !== list) known = { list, sizes: sizesIn(folder) }
  const { sizes } = known
  const sizeOf = (path: string) => sizes.get(path) ?? 0
  return (path, locale, signedIn, query) => {
    if (!isRoute(path)) return fontLink
    const wanted = path === '/' ? home : path
    const isInside = routes[wanted].needs !== null
    const shown = isInside && !signedIn ? '/auth/sign-in' : wanted
    const { files = [], rooms = [] } = pages[shown] ?? {}
    // Otherwise the small styles of a page's parts would be loaded before the largest script.
    const styles = files
      .filter(name => name.endsWith('.css'))
      .map(name => `<link rel="stylesheet" crossorigin fetchpriority="low" href="/${name}">`)
    const scripts = [
      ...files.filter(name => name.endsWith('.js')),
      ...[commonWords, ...rooms].map(room => `${words}/${locale}/${room}.js`),
    ].map(name => `/${name}`)
    if (!isInside || !signedIn)
      return [fontLink, ...styles, ...scripts.map(path => `<link rel="modulepreload" crossorigin href="${path}">`)].join('')
    const bySize = scripts.toSorted((one, other) => sizeOf(other) - sizeOf(one))
    // The files that the first reply needs come first, then the larger ones, as a small file is mostly waiting.
    const soonest = [`/${firstReply}`, `/${words}/${locale}/${commonWords}.js`]
    const beside = [...soonest, ...bySize.filter(path => sizeOf(path) < maxBeside && !soonest.includes(path))].slice(0, besideFirst)
    const [largest = '', next = '', ...others] = bySize.filter(path => !beside.includes(path))
    // A page behind the sign-in is drawn only when its scripts have run. The larger first scripts come before its own, and those before the font.
    return [
      `<script type="module" async crossorigin fetchpriority="high" src="/${early}"></script>`,
      `<link rel="preload" as="fetch" crossorigin href="${addressOfFirst(shown, locale, query)}">`,
      ...styles,
      ...beside.map(path => `<link rel="modulepreload" crossorigin data-beside href="${path}">`),
      `<meta name="portolan-files" content="${[largest, next, ...others.toReversed()].filter(Boolean).join(' ')}">`,
      `<meta name="portolan-font" content="${font}">`,
    ].join('')
  }
}

/** How many of a page's own files are requested beside the first scripts, and up to which size in bytes. Chosen by measuring (decision 20). */
const besideFirst = 8
const maxBeside = 6000

let known: { list: string; sizes: Map<string, number> } | undefined

/** Returns the size of each script as it is sent, by its path. */
function sizesIn(folder: string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const name of readdirSync(join(folder, 'assets'), { recursive: true, encoding: 'utf8' }).sort()) {
    // A compressed file comes after the one that it replaces.
    const script = /^(.*\.js)(?:\.br)?$/.exec(name)?.[1]
    if (script) sizes.set(`/assets/${script.replaceAll(sep, '/')}`, statSync(join(folder, 'assets', name)).size)
  }
  return sizes
}
