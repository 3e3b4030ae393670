import { expect, it } from 'vitest'
import { dueAfter, firstDue, type When } from './report.ts'

const madrid = 'Europe/Madrid'
const third = { monthDay: 3, hour: 7 }

/** Returns the moments of a schedule, in the order in which the service finds them. */
function moments(when: When, from: string, count: number, timeZone = madrid): string[] {
  const all = [firstDue(when, new Date(from), timeZone)]
  while (all.length < count) all.push(dueAfter(when, all.at(-1) ?? new Date(from), timeZone))
  return all.map(at => at.toISOString().slice(0, 16))
}

it('a monthly schedule runs at the same local hour in summer and in winter', () => {
  expect(moments(third, '2026-02-03T06:00:00Z', 9)).toEqual([
    '2026-03-03T06:00',
    '2026-04-03T05:00',
    '2026-05-03T05:00',
    '2026-06-03T05:00',
    '2026-07-03T05:00',
    '2026-08-03T05:00',
    '2026-09-03T05:00',
    '2026-10-03T05:00',
    '2026-11-03T06:00',
  ])
})

it('a weekly schedule runs on its weekday', () => {
  expect(moments({ weekday: 1, hour: 8 }, '2026-12-22T12:00:00Z', 2)).toEqual(['2026-12-28T07:00', '2027-01-04T07:00'])
  expect(moments({ weekday: 7, hour: 0 }, '2026-12-22T12:00:00Z', 2)).toEqual(['2026-12-26T23:00', '2027-01-02T23:00'])
})

it('the first moment is on the same day if its hour lies ahead', () => {
  expect(moments(third, '2026-12-03T05:59:59Z', 1)).toEqual(['2026-12-03T06:00'])
  expect(moments(third, '2026-12-03T06:00:00Z', 1)).toEqual(['2027-01-03T06:00'])
})

it('an hour that the clock skips is replaced by the next one, once', () => {
  expect(moments({ weekday: 7, hour: 2 }, '2027-03-25T12:00:00Z', 2)).toEqual(['2027-03-28T01:00', '2027-04-04T00:00'])
})

it('an hour that occurs twice counts once, the first time', () => {
  expect(moments({ weekday: 7, hour: 2 }, '2026-10-22T12:00:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-11-01T01:00'])
  expect(moments({ weekday: 7, hour: 3 }, '2026-10-22T12:00:00Z', 1)).toEqual(['2026-10-25T02:00'])
})

it('a day that begins after midnight has its hour zero at its start', () => {
  expect(moments({ weekday: 7, hour: 0 }, '2018-11-01T12:00:00Z', 1, 'America/Sao_Paulo')).toEqual(['2018-11-04T03:00'])
})

it('a change of the time zone causes no second moment on a day', () => {
  const due = firstDue(third, new Date('2026-12-01T00:00:00Z'), madrid)
  expect(dueAfter(third, due, 'Atlantic/Azores').toISOString()).toBe('2027-01-03T08:00:00.000Z')
})
