import { expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { loadWords } from '#server/kit/words.ts'
import { documentsOf, isOfProduct } from '../versions/planned.ts'
import { cacheAge } from './cache-age.ts'

test('the typesetter’s cache outlasts what sales in all languages print, three times', () => {
  const words = loadWords()
  const sold = { id: crypto.randomUUID(), status: 'purchased', version: 1, sold_version: 1, number: '1-A', seller_id: crypto.randomUUID() }
  const printed = locales.flatMap(locale =>
    documentsOf({ words, clock: { now: () => new Date() } }, { ...sold, locale }).filter(({ kind }) => !isOfProduct(kind)),
  )
  expect(new Set(printed.map(({ row }) => row.name)).size).toBeGreaterThan(locales.length)
  expect(cacheAge).toBeGreaterThanOrEqual(3 * printed.length)
})
