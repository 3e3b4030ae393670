import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  addYears,
  ageOn,
  daysBetween,
  displayDate,
  displayMoment,
  isAfter,
  isBefore,
  isDate,
  isWithin,
  parseDate,
  readDate,
  startOfDay,
  today,
} from './dates.ts'
import { anyValue } from './testing.ts'

const day = fc.integer({ min: -719_162, max: 2_932_896 }).map(number => new Date(number * 86_400_000).toISOString().slice(0, 10))

describe('parseDate (spec 5, Dates)', () => {
  it.each([
    ['29/02/2028', '2028-02-29'],
    ['05/06/2026', '2026-06-05'],
    ['01/01/0001', '0001-01-01'],
    ['31/12/9999', '9999-12-31'],
  ])('%s is %s', (text, date) => expect(parseDate(text)).toBe(date))

  it.each([
    '',
    ' 20/11/2026',
    '20/11/2026 ',
    '20/11/2026\n',
    '1/2/2026',
    '29/02/2100',
    '31/04/2026',
    '00/00/0000',
    '01/01/0000',
    '2026-11-20',
    '20/11/26',
    '２0/11/2026',
    '٢٠/11/2026',
    '20/11/+026',
    '20／11／2026',
    null,
    20112026,
    ['20/11/2026'],
  ])('%j yields nothing', text => expect(parseDate(text)).toBeUndefined())

  it('parseDate reads back the output of displayDate', () => fc.assert(fc.property(day, date => parseDate(displayDate(date)) === date)))

  it('parseDate never confuses two days', { tags: 'S5.1' }, () => {
    const parts = fc.tuple(fc.integer({ min: 0, max: 39 }), fc.integer({ min: 0, max: 19 }), fc.integer({ min: 1900, max: 2100 }))
    fc.assert(
      fc.property(parts, ([d, m, y]) => {
        const at = new Date(Date.UTC(y, m - 1, d))
        const real = at.getUTCFullYear() === y && at.getUTCMonth() === m - 1 && at.getUTCDate() === d
        const text = `${String(d).padStart(2, '0')}/${String(m).padStart(2, '0')}/${y}`
        expect(parseDate(text)).toBe(real ? at.toISOString().slice(0, 10) : undefined)
      }),
    )
  })
})

describe('displayDate and readDate', () => {
  it('displayDate and readDate read both formats', { tags: 'S5.1' }, () => {
    expect(displayDate('2026-11-20')).toBe('20/11/2026')
    expect(displayDate('20/11/2026')).toBe('20/11/2026')
    expect(readDate('20/11/2026')).toBe('2026-11-20')
  })
  it.each(['2026-13-01', '2026-11-31', '2026-0:-20', '2026-1/-20', '2026-11-20T00:00Z', '', undefined])('%j yields nothing', value =>
    expect(displayDate(value)).toBeUndefined(),
  )
})

describe('counting', () => {
  it('counting crosses month ends, leap days and summer time', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-11-20', 365)).toBe('2027-11-20')
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
    expect(daysBetween('2026-11-20', '2027-11-20')).toBe(365)
    expect(daysBetween('2026-12-01', '2026-11-30')).toBe(-1)
  })
  it('counting months stops at the last day of a shorter month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-03-31', -13)).toBe('2025-02-28')
    expect(addYears('2028-02-29', 1)).toBe('2029-02-28')
    expect(addYears('2028-02-29', 4)).toBe('2032-02-29')
  })
  it('counting adds and subtracts consistently', () =>
    fc.assert(
      fc.property(day, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
        const there = addDays(date, days)
        expect(there === '' || (daysBetween(date, there) === days && addDays(there, -days) === date)).toBe(true)
      }),
    ))
  it('counting yields nothing for invalid input', () => {
    expect(addDays('', 1)).toBe('')
    expect(addDays('2026-11-20', 0.5)).toBe('')
    expect(addDays('2026-11-20', Number.POSITIVE_INFINITY)).toBe('')
    expect(addDays('9999-12-31', 1)).toBe('')
    expect(addMonths('0001-01-31', -1)).toBe('')
    expect(daysBetween('x', '2026-11-20')).toBeNaN()
    expect(ageOn('2026-02-30', '2026-11-20')).toBeNaN()
  })
})

describe('ageOn', () => {
  it.each([
    ['2008-11-20', '2026-11-20', 18],
    ['2008-11-21', '2026-11-20', 17],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-29', 20],
    ['2026-11-20', '2026-11-20', 0],
    ['2026-11-21', '2026-11-20', -1],
  ])('born %s, on %s: %d', (birth, on, age) => expect(ageOn(birth, on)).toBe(age))
  it('ageOn is at least N from the Nth birthday on', () =>
    fc.assert(
      fc.property(day, day, fc.integer({ min: 0, max: 100 }), (birth, on, years) => {
        const bound = addYears(on, -years)
        fc.pre(bound !== '')
        expect(ageOn(birth, on) >= years).toBe(birth <= bound)
      }),
    ))
})

describe('comparing', () => {
  it('isDate is true for existing dates only', () => {
    expect(isBefore('2026-11-19', '2026-11-20')).toBe(true)
    expect(isBefore('', '2026-11-20')).toBe(false)
    expect(isAfter('2026-11-21', '2026-11-20')).toBe(true)
    expect(isWithin('2026-11-20', '2026-11-20', '2026-11-20')).toBe(true)
    expect(isWithin('2026-11-21', undefined, '2026-11-20')).toBe(false)
    expect(isWithin('2026-11-21', '2026-11-20', undefined)).toBe(true)
    expect(isWithin('', undefined, undefined)).toBe(false)
  })
})

describe('today', () => {
  it('today returns the day in the time zone', () => {
    const instant = new Date('2026-11-20T23:30:00Z')
    expect(today(instant, 'UTC')).toBe('2026-11-20')
    expect(today(instant, 'Europe/Madrid')).toBe('2026-11-21')
    expect(today(instant, 'Etc/GMT+12')).toBe('2026-11-20')
    expect(today(new Date('2026-11-20T10:00:00Z'), 'Etc/GMT-14')).toBe('2026-11-21')
    expect(today(Date.parse('2026-03-29T00:59:59Z'), 'Europe/Rome')).toBe('2026-03-29')
  })
  it('today accepts any input', () => {
    expect(today(new Date('2026-11-20T23:30:00Z'), 'Nowhere/Else')).toBe('2026-11-20')
    expect(today(new Date(Number.NaN), 'UTC')).toBe('')
    expect(today(8.64e15, 'UTC')).toBe('')
  })
})

it('never throws', () =>
  fc.assert(
    fc.property(anyValue, anyValue, (one, other) => {
      // Safe: wrong types are what the test passes.
      const [a, b, count, instant] = [one as string, other as string, other as number, one as number]
      for (const each of [parseDate(one), displayDate(one), readDate(one)]) expect(each === undefined || each.length === 10).toBe(true)
      expect(typeof isDate(one)).toBe('boolean')
      const computed = [a, '2026-11-20'].flatMap(date => [addDays(date, count), addMonths(date, count), addYears(date, count)])
      expect([...computed, today(instant, b)].every(date => date === '' || isDate(date))).toBe(true)
      expect([daysBetween(a, b), ageOn(a, b)].every(Number.isNaN)).toBe(true)
      expect(isBefore(a, b) || isAfter(a, b) || isWithin(a, b, b)).toBe(false)
    }),
    { numRuns: 1000 },
  ))

describe('startOfDay', () => {
  it.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20', 'Europe/Madrid', '2026-11-19T23:00:00.000Z'],
    ['2027-07-01', 'Europe/Madrid', '2027-06-30T22:00:00.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z'],
    ['2026-11-20', 'Etc/GMT+12', '2026-11-20T12:00:00.000Z'],
    // Summer time began at midnight there, so the day began at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // Summer time ended at midnight there, so the day before had 25 hours.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
  ])('%s in %s is %s', (date, timeZone, instant) => expect(new Date(startOfDay(date, timeZone)).toISOString()).toBe(instant))

  it('startOfDay is the first instant of the day in any zone', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40_000 }),
        fc.constantFrom('Europe/Madrid', 'America/Havana', 'Africa/Cairo', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns'),
        (number, timeZone) => {
          const date = addDays('1990-01-01', number)
          const instant = startOfDay(date, timeZone)
          expect([today(instant - 1, timeZone), today(instant, timeZone)]).toEqual([addDays(date, -1), date])
        },
      ),
      { numRuns: 200 },
    ))

  it('startOfDay is NaN for a text that is not a date', () => expect(startOfDay('2026-02-30', 'UTC')).toBeNaN())
})

it('shows a moment as a date, then hour and minute in two digits each, in the given time zone', () => {
  expect(displayMoment(new Date('2026-11-09T04:06:00Z'), 'Europe/Madrid')).toBe('09/11/2026\u00a005:06')
  expect(displayMoment(new Date('2026-01-31T23:59:59Z'), 'UTC')).toBe('31/01/2026\u00a023:59')
  expect(displayMoment(new Date('2026-01-31T23:00:00Z'), 'Europe/Madrid')).toBe('01/02/2026\u00a000:00')
})
