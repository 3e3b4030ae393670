import { afterEach, expect, test } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { importInPage } from '#portal/kit/testing.ts'

const [{ todayInUnit }, { followService }, { isSendable, lapsed }] = await importInPage(() =>
  Promise.all([
    import('#portal/business-unit/today.ts'),
    import('#portal/kit/time.ts'),
    import('./price-until.tsx'),
    import('./status.tsx'),
  ]),
)

afterEach(() => followService(Date.now()))

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const [later, earlier] = [inMs(10_000_000), inMs(-10_000)]
const [ahead, past] = [addDays(todayInUnit(), 30), addDays(todayInUnit(), -1)]

test.each([
  ['budgeted', ahead, later, undefined, true],
  ['budgeted', ahead, earlier, 'expired', false],
  ['budgeted', past, earlier, 'begun', false],
  ['pending', ahead, earlier, undefined, false],
  ['purchased', past, null, undefined, true],
] as const)('%s with the start %s and a price until %s: lapsed %s, sendable %s', (status, startDate, priceValidUntil, why, sendable) => {
  const policy = { status, startDate, priceValidUntil }
  expect([lapsed(policy), isSendable(policy)]).toEqual([why, sendable])
})

test('a price ends by the service’s clock, whatever the browser’s says', () => {
  const quote = { status: 'budgeted', startDate: ahead, priceValidUntil: later } as const
  expect(lapsed(quote)).toBeUndefined()
  followService(Date.now() + 10_001_000)
  expect(lapsed(quote)).toBe('expired')
})
