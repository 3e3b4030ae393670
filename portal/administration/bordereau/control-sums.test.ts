import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'
import type { Control } from './period.tsx'

const { makeupOf } = await importInPage(() => import('./control-sums.tsx'))

test('net premium and taxes make the gross premium; kept taxes are shown beside them', () => {
  const sums = {
    premium: -36.2,
    taxes: [
      { code: 'IMP-ASS', amount: -1.99, kept: 1.99 },
      { code: 'IMP-INF', amount: -0.3, kept: 0.1 },
    ],
    gross: -38.49,
    commission: -9.2,
    net: -29.29,
  }
  // Safe: only the sums are read.
  const lines = makeupOf(sums as Control)
  const cents = (part: typeof lines) => part.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  expect(cents(lines.slice(0, 3))).toBe(-3849)
  expect(cents(lines.slice(3, 5))).toBe(-2929)
  expect(lines.map(({ kept }) => kept)).toEqual([null, 1.99, 0.1, 2.09, null, null])
})
