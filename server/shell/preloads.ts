import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Locale } from '#common/kit/locales.ts'
import { commonWords } from '#common/kit/words/common-messages.ts'
import { home } from '#common/session/redirect.ts'
import { addressOfFirst } from '#common/shell/calls.ts'
import { isRoute, routes } from '#common/shell/routes.ts'

const page = z.object({ files: z.array(z.string()), rooms: z.array(z.string()) })
/** What the portal's making left behind. */
const made = z.object({ words: z.string(), pages: z.record(z.string(), page) })

/** What a page is made of, as links in its head: the browser asks for all of it at once, and does not find out step by step. */
export type Preloads = (path: string, locale: Locale, signedIn: boolean) => string

export function readPreloads(folder: string): Preloads {
  const file = join(folder, 'parts.json')
  if (!existsSync(file)) return () => ''
  const { words, pages } = made.parse(JSON.parse(readFileSync(file, 'utf8')))
  return (path, locale, signedIn) => {
    if (!isRoute(path)) return ''
    const wanted = path === '/' ? home : path
    const isInside = routes[wanted].needs !== null
    const shown = isInside && !signedIn ? '/auth/sign-in' : wanted
    const { files = [], rooms = [] } = pages[shown] ?? {}
    const spoken = [commonWords, ...rooms].map(room => `${words}/${locale}/${room}.js`)
    const parts = [...files, ...spoken].map(name => `<link rel="modulepreload" crossorigin href="/${name}">`)
    const payload = `<link rel="preload" as="fetch" crossorigin href="${addressOfFirst(shown, locale)}">`
    return [...(isInside && signedIn ? [payload] : []), ...parts].join('')
  }
}
