import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Locale } from '#common/kit/locales.ts'
import { commonWords } from '#common/kit/words/common-messages.ts'
import { home } from '#common/session/redirect.ts'
import { addressOfFirst } from '#common/shell/calls.ts'
import { isRoute, routes } from '#common/shell/routes.ts'

const page = z.object({ files: z.array(z.string()), rooms: z.array(z.string()) })
/** The list of files that the portal's build wrote. */
const manifest = z.object({ words: z.string(), pages: z.record(z.string(), page) })

/** Returns links for a page's head that preload all its files at once. Without them the browser would find the files step by step. */
export type Preloads = (path: string, locale: Locale, signedIn: boolean, query: string) => string

/** `font`: the link that loads the font. */
export function readPreloads(folder: string, font: string): Preloads {
  const file = join(folder, 'parts.json')
  if (!existsSync(file)) return () => font
  const { words, pages } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  return (path, locale, signedIn, query) => {
    if (!isRoute(path)) return font
    const wanted = path === '/' ? home : path
    const isInside = routes[wanted].needs !== null
    const shown = isInside && !signedIn ? '/auth/sign-in' : wanted
    const { files = [], rooms = [] } = pages[shown] ?? {}
    const messages = [commonWords, ...rooms].map(room => `${words}/${locale}/${room}.js`)
    const parts = [...files, ...messages].map(
      name => `<link rel="${name.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${name}">`,
    )
    const payload = `<link rel="preload" as="fetch" crossorigin href="${addressOfFirst(shown, locale, query)}">`
    // A page inside is drawn only when its scripts have run, so the font may come after them, as the page itself says.
    return [isInside && signedIn ? payload : font, ...parts].join('')
  }
}
