import { expect, test } from 'vitest'
import { freshValues } from './unit-values.ts'

test.each([
  ['Spain', 724, true],
  ['Portugal', 620, true],
  ['Mexico', 484, true],
  ['France', 250, false],
  ['Italy', 380, false],
  ['the United Kingdom', 826, false],
])('a new unit in %s asks for a second surname only where people have one', (_name, country, asks) => {
  expect(freshValues('en-EN', country, 'Europe/Paris', 'EUR').showSecondLastName).toBe(asks)
})
