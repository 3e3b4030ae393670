import { afterEach, beforeEach, expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { type Browser, openBrowser } from './testing.ts'

let browser: Browser
// The formats follow the language of a page.
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => browser.close())

test.each(locales)('numbers, shares and sums below zero have the same minus in %s', async locale => {
  const { formatsIn } = await import('./format.ts')
  const { number, share, money } = formatsIn(locale)
  expect([number(-12), share(-0.5), money(-12, 'EUR')].map(text => text.replaceAll(/[^-−]/g, ''))).toEqual(['−', '−', '−'])
})

test.each([
  ['Europe/Madrid', '2026-12-15T23:00:00Z', '15/12/2026'],
  ['Europe/Madrid', '2026-12-15T23:00:01Z', '16/12/2026\u00a000:00'],
  ['UTC', '2026-12-15T23:00:00Z', '15/12/2026\u00a023:00'],
  ['UTC', '2027-01-01T00:00:00Z', '31/12/2026'],
  // Summer time began at midnight there, so the day began at one o'clock.
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '03/11/2018'],
])('in %s the end %s is shown as %s', async (zone, instant, shown) => {
  const [{ shownEnd }, { showTimesIn }] = await Promise.all([import('./format.ts'), import('./time.ts')])
  showTimesIn(zone)
  expect(shownEnd(instant)).toBe(shown)
})
