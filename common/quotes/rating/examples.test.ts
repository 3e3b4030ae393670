import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countriesIn } from '#common/geography/countries.ts'
import { fromCents } from '#common/kit/money.ts'
import { commissionOf } from './taxes.ts'
import { basisOf, codes, commissionPercent, priced, today, tripOf } from './testing.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/rating.md'), 'utf8')
const examples = page
  .slice(page.indexOf('## Worked examples'))
  .split('\n')
  .filter(line => line.startsWith('| '))
  .slice(2)
  .map(line => line.split('|').map(cell => cell.trim()))

const countryNamed = (name: string) => countriesIn('en-EN').find(country => country.name === name)?.id ?? Number.NaN
const numberIn = (text: string) => Number.parseFloat(text.replace(',', ''))
const amount = (cents: number) => fromCents(cents).toFixed(2)
/** Reads "34, 36", "45 × 16" and "2 × unknown". */
const agesIn = (text: string) =>
  text.split(', ').flatMap(part => {
    const [times, age = part] = part.includes(' × ') ? part.split(' × ') : ['1']
    return Array.from({ length: Number(times) }, () => (age === 'unknown' ? null : Number(age)))
  })

test('docs/rating.md has twelve worked examples', () => expect(examples).toHaveLength(12))

test.each(examples)('%s%s, %s, %s, %s, starting in %s has the price that docs/rating.md states', (_start, ...cells) => {
  const [product = '', trip = '', length = '', ages = '', start = '', cost = '', ...stated] = cells.slice(0, 10)
  const code = codes.find(each => each === product) ?? 'HOM'
  const [origin = Number.NaN, destination = Number.NaN] = trip.split(' to ').map(countryNamed)
  const insured = cost ? { amountCents: numberIn(cost) * 100, reservationDate: today } : {}
  const asked = tripOf(destination, numberIn(length), agesIn(ages), { origin, inDays: numberIn(start), ...insured })
  const { premium, taxes, total } = priced(basisOf(code, origin), asked)
  const commission = commissionOf(premium, commissionPercent(code, trip.startsWith('Italy') ? 'rotta' : 'azahar'))
  const taxed = taxes.map(tax => `${tax.code} ${amount(tax.amount)}`).join(', ')
  expect([amount(premium), taxed, amount(total), amount(commission)]).toEqual(stated)
})
