import { expect, test } from 'vitest'
import type { Code } from '#common/quotes/rating/testing.ts'
import { previewChange } from '../change.ts'
import { phaseAt, type Policy } from '../state.ts'
import { now, person, sold } from '../testing.ts'
import type { Change } from './asked.ts'
import { fixedBy } from './phases.ts'

const people = [person('A', '1990-01-01'), person('B', '1992-01-01')]

/** A trip to Italy from 1 to 8 December, or a longer one. */
const policyOf = (product: Code, endDate = '2026-12-08'): Policy =>
  sold({
    product,
    soldAt: '2026-11-20T10:00:00Z',
    trip: { startDate: '2026-12-01', endDate, origin: 724, destinations: [380] },
    people,
  })

const [before, onTrip, over] = ['2026-11-25T10:00:00Z', '2026-12-03T10:00:00Z', '2027-12-31T10:00:00Z']
const claimed = { claimed: true }

const all = people.map(({ personUuid }) => ({ personUuid }))
/** A change of each part of the cover, of those that a product may allow on the trip. */
const coverChanges = ({ trip }: Policy): Change[] => [
  { startDate: '2026-12-04' },
  { endDate: trip.endDate.replace(/\d\d$/, '09') },
  { countriesDestinationId: '380,250' },
  { users: [all[0] ?? {}] },
  { users: [...all, { name: 'C', birthDate: '1991-01-01', docNumber: 'D-C' }] },
]

const codesOf = (policy: Policy, at: string, change: Change) =>
  previewChange(policy, { version: 1, change }, now(at)).refusals.map(({ code }) => code)

test.each([
  ['ESS', '2026-12-08', before, {}, undefined],
  ['ESS', '2026-12-08', onTrip, {}, 'change.started'],
  ['STU', '2027-03-08', onTrip, {}, undefined],
  ['ANN', '2027-11-30', onTrip, {}, undefined],
  ['ESS', '2026-12-08', before, claimed, 'change.claimed'],
  ['ANN', '2027-11-30', onTrip, claimed, 'change.claimed'],
  ['ESS', '2026-12-08', over, {}, 'change.ended'],
  ['ESS', '2026-12-08', over, claimed, 'change.ended'],
] as const)(
  'the cover of %s until %s, asked at %s with %o, is fixed by %s, as every change of it is refused',
  (code, end, at, more, fixed) => {
    const policy = { ...policyOf(code, end), ...more }
    expect(fixedBy(policy, phaseAt(policy, Date.parse(at)))).toBe(fixed)
    const codes = coverChanges(policy).map(change => codesOf(policy, at, change))
    if (fixed) expect(new Set(codes.flat())).toEqual(new Set([fixed]))
    else expect(codes).toContainEqual([])
    // Facts on which the cover does not depend can change in every phase.
    expect(
      codesOf(policy, at, { buReference: 'R-1', locale: 'pt-PT', users: [{ ...all[0], phoneNumber: '611222333' }, all[1] ?? {}] }),
    ).toEqual([])
    const mended = codesOf(policy, at, { users: [{ ...all[0], name: 'Traveler A' }, all[1] ?? {}] })
    expect(mended).toEqual(fixed === 'change.ended' ? ['change.ended'] : [])
  },
)
