import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, ageOn, displayDate, isDate, parseDate, readDate } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { completeDate, type DateContext } from './dates.ts'

/** A Monday. */
const today = '2026-11-23'
const trip: DateContext = { kind: 'trip', today, locale: 'es-ES' }
const past: DateContext = { kind: 'past', today, locale: 'es-ES' }
const birth: DateContext = { kind: 'birth', today, locale: 'es-ES' }

describe('any date', () => {
  it.each([
    ['5/1/2026', '05/01/2026'],
    ['2026-01-05', '05/01/2026'],
    [' 05012026 ', '05/01/2026'],
    ['5 1 2026', '05/01/2026'],
    ['5.1.26', '05/01/2026'],
    ['050126', '05/01/2026'],
    ['05/01/26', '05/01/2026'],
    ['hoy', '23/11/2026'],
    ['+7', '30/11/2026'],
    ['-7', '16/11/2026'],
  ])('%s is %s', (typed, date) => expect(completeDate(typed, { today, locale: 'es-ES' })).toBe(date))

  it.each(['', '31/02/2026', '310226', '31022026', '5/13/26', '1/12', '1', '1/2/3', '5/1/126', 'lunes', 'ayer y hoy', '+', '+1000'])(
    '%s stays as typed',
    typed => expect(completeDate(typed, { today, locale: 'es-ES' })).toBe(typed),
  )

  it('without today, only complete dates are read', () => {
    expect(completeDate('+7', { kind: 'trip', locale: 'es-ES' })).toBe('+7')
    expect(completeDate('1/12', { kind: 'trip', locale: 'es-ES' })).toBe('1/12')
    expect(completeDate('150385', { kind: 'birth', locale: 'es-ES' })).toBe('150385')
    expect(completeDate('15031985', { kind: 'birth', locale: 'es-ES' })).toBe('15/03/1985')
  })
})

describe('a day of a list', () => {
  it.each([
    ['1/10', '01/10/2026'],
    ['01/10/', '01/10/2026'],
    ['24/5', '24/05/2027'],
    ['23/11', '23/11/2026'],
    ['29/2', '29/02/2028'],
    ['+7', '30/11/2026'],
    ['-30', '24/10/2026'],
    ['ayer', '22/11/2026'],
    ['viernes', '27/11/2026'],
  ])('%s is %s', (typed, date) => expect(completeDate(typed, { kind: 'list', today, locale: 'es-ES' })).toBe(date))
})

describe('a day of a trip', () => {
  it.each([
    ['1/12', '01/12/2026'],
    ['1.12', '01/12/2026'],
    ['01/12/', '01/12/2026'],
    ['0112', '01/12/2026'],
    ['22/11', '22/11/2027'],
    ['23/11', '23/11/2026'],
    ['29/2', '29/02/2028'],
    ['011226', '01/12/2026'],
    ['+0', '23/11/2026'],
    ['+ 7', '30/11/2026'],
    ['mañana', '24/11/2026'],
    ['MAN', '24/11/2026'],
    ['pasado', '25/11/2026'],
    ['martes', '24/11/2026'],
    ['mi', '25/11/2026'],
    ['miércoles', '25/11/2026'],
    ['lunes', '30/11/2026'],
  ])('%s is %s', (typed, date) => expect(completeDate(typed, trip)).toBe(date))

  it.each(['-7', 'ayer', 'ma', 'm', 'monday', '31/4', '30/2'])('%s stays as typed', typed => expect(completeDate(typed, trip)).toBe(typed))

  it.each([
    ['+7', '08/12/2026'],
    ['1/12', '01/12/2026'],
    ['28/2', '28/02/2027'],
    ['2/6', '02/06/2027'],
    ['lun', '07/12/2026'],
    ['hoy', '23/11/2026'],
  ])('after a start on 1 December, %s is %s', (typed, date) => expect(completeDate(typed, { ...trip, from: '2026-12-01' })).toBe(date))

  it.each([
    ['en-EN', 'tomorrow', 'fri'],
    ['es-ES', 'manana', 'vie'],
    ['fr-FR', 'demain', 'ven'],
    ['it-IT', 'domani', 'ven'],
    ['pt-PT', 'amanha', 'sex'],
  ] as const)('in %s the words are its own: %s, %s', (locale, tomorrow, friday) => {
    expect(completeDate(tomorrow, { ...trip, locale })).toBe('24/11/2026')
    expect(completeDate(friday, { ...trip, locale })).toBe('27/11/2026')
  })
})

it.each([
  ['en-EN', '15 jan', '1 March 2027', '3-Sept.'],
  ['es-ES', '15 ene', '1 de marzo de 2027', '3-sept.'],
  ['fr-FR', '15 janv.', '1 mars 2027', '3/sep'],
  ['it-IT', '15gen', '1 marzo 27', '3 settembre'],
  ['pt-PT', '15/jan', '1 de março de 2027', '3 set'],
] as const)('in %s a month has its name: %s, %s, %s', (locale, january, march, september) => {
  expect([january, march, september].map(typed => completeDate(typed, { ...trip, locale }))).toEqual([
    '15/01/2027',
    '01/03/2027',
    '03/09/2027',
  ])
  expect(completeDate(january, { ...birth, locale })).toBe(january)
  expect(completeDate('15 jui', { ...trip, locale: 'fr-FR' })).toBe('15 jui')
  expect(completeDate('31 abr', trip)).toBe('31 abr')
  expect(completeDate('15 jan', trip)).toBe('15 jan')
})

it('an end that would make the trip longer than half a year stays as typed', () => {
  const after = (typed: string, from: string) => completeDate(typed, { ...trip, from })
  expect(after('1/12', '2026-12-28')).toBe('1/12')
  expect(after('30/11', '2026-12-01')).toBe('30/11')
  expect(after('3/6', '2026-12-01')).toBe('3/6')
  expect(after('22/11', today)).toBe('22/11')
  expect(after('1/12/27', '2026-12-28')).toBe('01/12/2027')
})

it.each(locales)('the first three letters of a weekday name it in %s', locale => {
  for (let days = 1; days <= 7; days++) {
    const date = addDays(today, days)
    const name = new Intl.DateTimeFormat(locale.replace('-EN', '-GB'), { weekday: 'long', timeZone: 'UTC' }).format(new Date(date))
    expect(completeDate(name.slice(0, 3), { ...trip, locale })).toBe(displayDate(date))
  }
})

describe('a day of the past', () => {
  it.each([
    ['1/12', '01/12/2025'],
    ['23/11', '23/11/2026'],
    ['-3', '20/11/2026'],
    ['ayer', '22/11/2026'],
    ['vie', '20/11/2026'],
    ['lunes', '16/11/2026'],
    ['29/2', '29/02/2024'],
  ])('%s is %s', (typed, date) => expect(completeDate(typed, past)).toBe(date))

  it.each(['+3', 'mañana'])('%s stays as typed', typed => expect(completeDate(typed, past)).toBe(typed))
})

describe('a birth date', () => {
  it.each([
    ['150385', '15/03/1985'],
    ['15/3/85', '15/03/1985'],
    ['231126', '23/11/2026'],
    ['241126', '24/11/1926'],
    ['290200', '29/02/2000'],
  ])('%s is %s', (typed, date) => expect(completeDate(typed, birth)).toBe(date))

  it.each(['15/3', '1503', '+7', 'hoy', 'lunes', '290201', '310285'])('%s stays as typed', typed =>
    expect(completeDate(typed, birth)).toBe(typed),
  )

  it('a year of two digits is never in the future, nor a hundred years ago', () => {
    const day = fc.integer({ min: 0, max: 36_524 }).map(days => addDays(today, -days))
    fc.assert(
      fc.property(day, born => {
        const [, month = '', date = ''] = born.split('-')
        expect(completeDate(`${date}${month}${born.slice(2, 4)}`, birth)).toBe(displayDate(born))
        expect(ageOn(born, today)).toBeLessThan(100)
      }),
    )
  })
})

const context = fc.record({
  kind: fc.constantFrom('trip', 'past', 'birth', undefined),
  today: fc.constant(today),
  from: fc.constantFrom('2026-12-01', undefined),
  locale: fc.constantFrom(...locales),
})
const anyDay = fc.integer({ min: 0, max: 60_000 }).map(days => addDays('1920-01-01', days))
const shortText = fc.oneof(fc.string({ maxLength: 12 }), fc.stringMatching(/^[0-9/. +-]{0,10}$/))

it('the result is a date or the typed text, and stays the same when completed again', () => {
  fc.assert(
    fc.property(shortText, context, (typed, context) => {
      const text = completeDate(typed, context)
      expect(text === typed.trim() || parseDate(text) !== undefined).toBe(true)
      expect(completeDate(text, context)).toBe(text)
    }),
  )
})

it('a complete date is the same day in every spelling and context', () => {
  fc.assert(
    fc.property(anyDay, context, (date, context) => {
      const [year, month, day] = date.split('-').map(Number)
      const whole = displayDate(date)
      for (const typed of [
        `${day}/${month}/${year}`,
        `${day}.${month}.${year}`,
        `${day} - ${month} - ${year}`,
        (whole ?? '').replaceAll('/', ''),
        date,
      ])
        expect(completeDate(typed, context)).toBe(whole)
    }),
  )
})

it('a day without a year is the next one for a trip, and the last one in the past', () => {
  fc.assert(
    fc.property(anyDay, date => {
      const [, month, day] = date.split('-').map(Number)
      const [next, last] = [trip, past].map(context => readDate(completeDate(`${day}/${month}`, context)) ?? '')
      for (const found of [next, last]) expect(found?.slice(5)).toBe(date.slice(5))
      expect(next && isDate(next) && next >= today && next < '2034-11-23').toBe(true)
      expect(last && isDate(last) && last <= today && last > '2018-11-23').toBe(true)
    }),
  )
})

it('a number of days after the start is that day', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 999 }), (from, days) => {
      expect(completeDate(`+${days}`, { ...trip, from })).toBe(displayDate(addDays(from, days)))
    }),
  )
})
