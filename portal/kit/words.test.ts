import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Browser, openBrowser } from './testing.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => browser.close())

test('the chosen language is stored for a year, in a cookie for all pages', { tags: ['S4.15', 'S9.8'] }, async () => {
  const { switchLanguage, showLanguage, localeNow, cookieLocale } = await import('./words.tsx')
  const { window } = browser.tab
  const lines: string[] = []
  const jar = { get: () => lines.join('; '), set: (line: string) => lines.push(line) }
  Object.defineProperty(window.document, 'cookie', jar)
  await showLanguage('fr-FR')
  expect([localeNow(), lines]).toEqual(['fr-FR', []])
  await switchLanguage('it-IT')
  Object.assign(window.location, { protocol: 'https:' })
  await switchLanguage('it-IT')
  const line = 'i18n_redirected=it-IT; Max-Age=31536000; Path=/; SameSite=Lax'
  expect([localeNow(), cookieLocale(), lines]).toEqual(['it-IT', 'it-IT', [line, `${line}; Secure`]])
})
