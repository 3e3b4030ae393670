import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { wayOut } = await importInPage(() => import('./refusal.tsx'))

const can = [{ action: 'cancel' as const, until: null }]

test.each([
  ['change.tax_place', 'sell_anew'],
  ['quote.too_long', 'sell_anew'],
  ['change.started', 'ask'],
  ['change.claimed', 'ask'],
  ['change.names_closed', 'ask'],
  ['validation.failed', undefined],
  ['change.nothing', undefined],
  ['change.stale', undefined],
])('a change refused as %s has the way out %s', (code, way) => expect(wayOut({ code }, { can })).toBe(way))

test('a policy that cannot be cancelled is not offered to be sold anew', () => {
  expect(wayOut({ code: 'change.tax_place' }, { can: [] })).toBe('ask')
})
