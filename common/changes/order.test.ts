import { expect, test } from 'vitest'
import type { Change } from './asked/asked.ts'
import { previewChange } from './change.ts'
import { previewEnding } from './ending/cancel.ts'
import type { Policy } from './state.ts'
import { now, person, sold } from './testing.ts'

/** The order of refusals: each policy is refused for two reasons, of which the first is reported. */

/** Five months of study, taxed where the student resides, unlike a shorter stay. */
const study: Policy = sold({
  product: 'STU',
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2026-12-01', endDate: '2027-04-29', origin: 380, destinations: [276] },
  people: [person('A', '2005-01-15')],
})
const { servicing } = study.edition
/** The same with a list of names that closes, as no product of the demo has both. */
const listed: Policy = { ...study, edition: { ...study.edition, servicing: { ...servicing, namesUntilHours: 24 } } }

const before = '2026-11-25T10:00:00Z'
const closed = '2026-11-30T10:00:00Z'
const onTrip = '2027-01-15T10:00:00Z'
const over = '2027-05-15T10:00:00Z'

const cancelled: Partial<Policy> = { status: 'cancelled' }
const stale: Partial<Policy> = { version: 2 }
const pending: Partial<Policy> = { pending: true }
const claimed: Partial<Policy> = { claimed: true }

const shorter: Change = { endDate: '2027-03-29' }
const replaced: Change = { users: [{ name: 'Other', birthDate: '2004-05-05', docNumber: 'X7' }] }
// A call refuses such a product before the rules do.
const unknown: Change & { product: string } = { product: 'TOT' }

const firstOf = (policy: Policy, change: Change, at: string) =>
  previewChange(policy, { version: 1, change }, now(at, { excludedCountries: [643] })).refusals[0]?.code

test.each<[first: string, second: string, policy: Policy, change: Change, at: string]>([
  ['validation.failed', 'change.cancelled', { ...study, ...cancelled }, unknown, before],
  ['change.cancelled', 'change.stale', { ...study, ...cancelled, ...stale }, shorter, before],
  ['change.stale', 'change.pending', { ...study, ...stale, ...pending }, shorter, before],
  ['change.pending', 'change.nothing', { ...study, ...pending }, {}, before],
  ['change.ended', 'change.claimed', { ...study, ...claimed }, shorter, over],
  ['change.claimed', 'change.started', { ...study, ...claimed }, shorter, onTrip],
  ['change.started', 'change.names_closed', listed, replaced, onTrip],
  ['change.names_closed', 'change.tax_place', listed, { ...replaced, ...shorter }, closed],
  ['change.tax_place', 'coverage.destination', study, { ...shorter, countriesDestinationId: '643' }, before],
])('a change is refused as %s rather than as %s', (first, _second, policy, change, at) => {
  expect(firstOf(policy, change, at)).toBe(first)
})

test.each<[first: string, second: string, policy: Policy, at: string]>([
  ['cancel.already', 'cancel.stale', { ...study, ...cancelled, ...stale }, before],
  ['cancel.stale', 'cancel.ended', { ...study, ...stale }, over],
  ['cancel.ended', 'cancel.claimed', { ...study, ...claimed }, over],
  ['cancel.claimed', 'cancel.started', { ...study, ...claimed }, '2027-04-29T10:00:00Z'],
])('a cancellation is refused as %s rather than as %s', (first, _second, policy, at) => {
  expect(previewEnding(policy, { as: 'cancellation', version: 1 }, now(at)).refusals[0]?.code).toBe(first)
})

test.each<[first: string, second: string, policy: Partial<Policy>]>([
  ['cancel.already', 'withdraw.none', cancelled],
  ['withdraw.none', 'withdraw.claimed', claimed],
])('a withdrawal is refused as %s rather than as %s', (first, _second, policy) => {
  expect(previewEnding({ ...study, ...policy }, { as: 'withdrawal', version: 1 }, now(before)).refusals[0]?.code).toBe(first)
})
