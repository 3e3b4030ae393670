import { describe, expect, test } from 'vitest'
import { judgedChange } from '#common/changes/change.ts'
import { now, person, sold } from '#common/changes/testing.ts'
import { fullName } from '#common/kit/text.ts'
import { changeOf, type Draft, join, leave, mend, moveDate, rowsOf, stay, untouched } from './draft.ts'
import { groupOf, touchedGroups } from './groups.ts'

const ana = { ...person('A', '1992-01-15', '12345678Z', 'Ana'), middleName: 'García', lastName: 'López', email: 'ana@example.es' }
const leo = { ...person('B', '1990-01-15', 'X1234567L', 'Leo'), middleName: 'Gil', lastName: 'Mas' }
const policy = {
  ...sold({
    product: 'ESS',
    soldAt: '2026-11-20T10:00:00Z',
    trip: { startDate: '2026-12-01', endDate: '2026-12-08', origin: 724, destinations: [380] },
    people: [ana, leo],
  }),
  reference: 'Exp. 7',
}
const form = { locale: 'es-ES', country: 724, showSecondLastName: '1', earliestBirthDate: undefined, today: '2026-11-25' } as const
const preview = (draft: Draft) =>
  judgedChange(policy, { version: 1, change: changeOf(policy, draft) }, { now: now('2026-11-25T10:00:00Z'), form })

describe('the draft of a change', () => {
  test('a draft sends only what differs, with dates and amounts as the call takes them', () => {
    expect(changeOf(policy, untouched)).toEqual({})
    expect(changeOf(policy, { ...untouched, startDate: '01/12/2026', destinations: [380], reference: 'Exp. 7' })).toEqual({})
    expect(changeOf(policy, { ...untouched, endDate: '12/12/2026', reference: '' })).toEqual({ endDate: '2026-12-12', buReference: '' })
    expect(preview({ ...untouched, endDate: '12/12/2026' }).charge).toBe(1708)
  })

  test('the return moves with the departure until it is typed itself', () => {
    const type = (draft: Draft, name: 'startDate' | 'endDate', text: string) => moveDate(policy, draft, name, text)
    const later = type(untouched, 'startDate', '04/12/2026')
    expect(changeOf(policy, later)).toEqual({ startDate: '2026-12-04', endDate: '2026-12-11' })
    const corrected = type(type(later, 'startDate', '0'), 'startDate', '05/12/2026')
    expect(changeOf(policy, type(later, 'startDate', '02/12/2026'))).toEqual({ startDate: '2026-12-02', endDate: '2026-12-09' })
    expect(changeOf(policy, type(later, 'startDate', '01/12/2026'))).toEqual({})
    expect(changeOf(policy, corrected)).toEqual({ startDate: '2026-12-05', endDate: '2026-12-12' })
    const shorter = type(type(untouched, 'endDate', '10/12/2026'), 'startDate', '04/12/2026')
    expect(changeOf(policy, shorter)).toEqual({ startDate: '2026-12-04', endDate: '2026-12-10' })
  })

  test('a date that is still being typed is refused at its field', () => {
    expect(preview({ ...untouched, endDate: '12/1' }).refusals).toMatchObject([{ code: 'validation.failed', path: 'endDate' }])
  })

  test('an email that changes is sent alone, under the person’s own id', () => {
    expect(changeOf(policy, mend(untouched, 'A', { email: 'ana@example.com' })).users).toEqual([
      { personUuid: 'A', email: 'ana@example.com' },
      { personUuid: 'B' },
    ])
  })

  test('another name and document make another person, with the form’s other facts', () => {
    const draft = mend(untouched, 'B', { name: 'Eva', docNumber: '87654321X' })
    expect(changeOf(policy, draft).users?.[1]).toEqual({
      personUuid: 'B',
      name: 'Eva',
      middleName: 'Gil',
      lastName: 'Mas',
      birthDate: '1990-01-15',
      docNumber: '87654321X',
    })
    expect(preview(draft).after?.people[1]).toMatchObject({ personUuid: null, name: 'Eva', birthDate: '1990-01-15', middleName: 'Gil' })
  })

  test('the policyholder’s country changes with the address, and back to the unit’s', () => {
    const abroad = { ...policy, people: policy.people.map(each => ({ ...each, residenceCountryId: 250 })) }
    const home = mend(untouched, 'A', { residenceCountryId: null })
    expect(changeOf(abroad, home).users).toEqual([{ personUuid: 'A', residenceCountryId: null }, { personUuid: 'B' }])
    expect(changeOf(policy, home)).toEqual({})
    expect([...touchedGroups(home, abroad, changeOf(abroad, home))]).toEqual(['holder'])
    expect(groupOf('users[0].residenceCountryId')).toBe('holder')
    expect(groupOf('users[1].residenceCountryId')).toBe('people')
  })

  test('a newcomer replaces a person, and is removed when that person stays', () => {
    const swapped = mend(join(untouched, 'new', 'A'), 'new', { name: 'Eva' })
    expect(rowsOf(policy, swapped).map(({ key, index }) => [key, index])).toEqual([
      ['A', undefined],
      ['new', 0],
      ['B', 1],
    ])
    expect(changeOf(policy, swapped).users).toEqual([{ name: 'Eva' }, { personUuid: 'B' }])
    expect(changeOf(policy, stay(swapped, 'A'))).toEqual({})
    expect(changeOf(policy, leave(swapped, 'new'))).toEqual({})
  })

  test('a person who leaves is not sent, and typed values survive a change by others', () => {
    const draft: Draft = { ...leave(untouched, 'B'), endDate: '12/12/2026' }
    expect(changeOf(policy, draft).users).toEqual([{ personUuid: 'A' }])
    const changed = { ...policy, version: 2, trip: { ...policy.trip, endDate: '2026-12-12', startDate: '2026-12-03' } }
    expect(changeOf(changed, draft)).toEqual({ users: [{ personUuid: 'A' }] })
  })
})

test('the dash that stands for a missing second surname is not part of a name', () => {
  expect(fullName({ name: 'Luis', middleName: 'Pérez', lastName: '-' })).toBe('Luis Pérez')
})
