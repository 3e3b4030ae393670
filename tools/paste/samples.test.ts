import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { measure, samplesIn, sum, table } from './samples.ts'

const read = (name: string) => samplesIn(join(import.meta.dirname, '../../common/quotes/paste-samples', name)).map(measure)
/** Written before the code was looked at. */
const [forty, traps, later] = [read('forty.txt'), read('traps.txt'), read('later.txt')]

test.each([...forty, ...traps, ...later])('$name: nothing wrong is ticked', ({ all }) => {
  expect(all.wrongTicked).toEqual([])
})

test.each([
  ['forty texts', forty, { texts: 40, facts: 619, found: 610, ticked: 570, wrong: 1 }],
  ['ten later texts', later, { texts: 10, facts: 135, found: 132, ticked: 120, wrong: 0 }],
  ['twelve texts with traps', traps, { texts: 12, facts: 133, found: 107, ticked: 96, wrong: 6 }],
])('%s: nearly all facts are read and ticked', (_, measured, expected) => {
  const { facts, found, ticked, wrong } = sum(measured.map(({ all }) => all))
  expect({ texts: measured.length, facts, found, ticked, wrong: wrong.length }).toEqual(expected)
})

describe('a measurement', () => {
  const sample = {
    name: 'one',
    locale: 'es-ES' as const,
    text: 'Pasajero: Marcos Vidal Soto\nSalida 03/08/2027, vuelta 10/08/2027',
    expected: ['startDate 2027-08-03', 'endDate 2027-08-11', 'person name Marcos, middleName Vidal, lastName Soto'],
    missed: ['priceTravel 5'],
  }

  it('a measurement counts what is found, ticked, missed, wrong, and wrong although ticked', () => {
    const { all, people } = measure(sample)
    expect(all).toEqual({
      facts: 6,
      found: 4,
      ticked: 1,
      missed: ['endDate 2027-08-11', 'priceTravel 5'],
      wrong: ['endDate 2027-08-10', 'travelers 1'],
      wrongTicked: ['endDate 2027-08-10', 'travelers 1'],
    })
    expect(people).toEqual({ facts: 3, found: 3, ticked: 0, missed: [], wrong: [], wrongTicked: [] })
  })

  it('a person who is not in the text is wrong', () => {
    const { all, names } = measure({ ...sample, expected: sample.expected.slice(0, 2), missed: [] })
    expect(all.wrong).toEqual(['endDate 2027-08-10', 'travelers 1', '+1 name Marcos', '+1 middleName Vidal', '+1 lastName Soto'])
    expect(names.wrong.length).toBe(3)
  })

  it('the table has a line for each text, and one for all', () => {
    const lines = table([measure(sample), measure(sample)]).split('\n')
    expect(lines.map(line => line.trim().split(/ +/).slice(0, 3).join(' '))).toEqual([
      'sample facts found',
      'es one 6',
      'es one 6',
      'all 12 8',
    ])
  })
})
