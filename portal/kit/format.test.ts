import { expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { openBrowser } from './testing.ts'

test.each(locales)('numbers, shares and sums below zero have the same minus in %s', async locale => {
  // The formats follow the language of a page.
  const browser = openBrowser({ ask: () => Promise.reject(new Error('no service')) } as never)
  const { formatsIn } = await import('./format.ts')
  const { number, share, money } = formatsIn(locale)
  expect([number(-12), share(-0.5), money(-12, 'EUR')].map(text => text.replaceAll(/[^-−]/g, ''))).toEqual(['−', '−', '−'])
  await browser.close()
})
