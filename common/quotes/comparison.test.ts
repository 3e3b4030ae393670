import { expect, test } from 'vitest'
import { byPrice, firstCompared, type Standing, standingsOf } from './comparison.ts'
import { loosest } from './trip.ts'

const refused = (productUUID: string, ...fields: [path: string, message: string][]) => ({
  productUUID,
  error: 'validation.failed',
  errorMessage: 'The trip is not insured.',
  fields: fields.map(([path, message]) => ({ path, rule: 'rule', message })),
})
const only = (compared: ReturnType<typeof refused>): Standing | undefined =>
  standingsOf([compared], { startDate: '2026-12-01', endDate: '2026-12-08' }).get(compared.productUUID)

// Safe: sorting by price reads nothing else of a quote.
const priced = (total: number) => ({ state: 'priced', quote: { total } }) as Standing
const asks: Standing = { state: 'asks', problems: [] }
const no: Standing = { state: 'refused', reasons: [] }

test('a refusal that only lacks the trip’s price or reservation date is a question', () => {
  const fields = [
    ['insurancedAmount', 'Enter the price.'],
    ['reservationDate', 'Required.'],
  ] as const
  expect(only(refused('CAN', ...fields.map(([path, message]): [string, string] => [path, message])))).toMatchObject({
    state: 'asks',
    problems: [{ path: 'insurancedAmount' }, { path: 'reservationDate' }],
  })
})

test('any other refusal names its reasons once, without the questions', () => {
  const compared = refused('GRP', ['insurancedAmount', 'Enter the price.'], ['paxNumber', 'Ten at least.'], ['endDate', 'Ten at least.'])
  expect(only(compared)).toEqual({ state: 'refused', reasons: ['Ten at least.'], dates: undefined })
  expect(only(refused('GRP'))).toEqual({ state: 'refused', reasons: ['The trip is not insured.'], dates: undefined })
})

test('products are sorted by price, then those with a question, then the refused', () => {
  const standings = new Map([
    ['GRP', no],
    ['TOT', priced(90)],
    ['CAN', asks],
    ['ESS', priced(20.5)],
    ['ANN', no],
  ])
  expect(byPrice(['GRP', 'TOT', 'CAN', 'ESS', 'ANN'], standings)).toEqual(['ESS', 'TOT', 'CAN', 'GRP', 'ANN'])
  expect(byPrice(['TOT', 'ESS'], new Map())).toEqual(['TOT', 'ESS'])
})

test('the current product is compared first with the most suitable, even if refused', () => {
  const standings = new Map([
    ['ANN', no],
    ['CAN', asks],
    ['ESS', priced(20)],
    ['HOM', no],
    ['SNO', priced(30)],
    ['TOT', priced(90)],
  ])
  const all = ['ANN', 'CAN', 'ESS', 'HOM', 'SNO', 'TOT']
  expect(firstCompared('HOM', all, standings, 4)).toEqual(['ESS', 'SNO', 'TOT', 'HOM'])
  expect(firstCompared('CAN', all, standings, 4)).toEqual(['ESS', 'SNO', 'TOT', 'CAN'])
  expect(firstCompared('TOT', ['ESS', 'TOT'], new Map(), 4)).toEqual(['TOT', 'ESS'])
})

test('a date is possible if one product allows it', () => {
  const settings = { hasAmountCancellation: true, startDayOffset: 1, maxStartDate: 60, maxEndDate: 426 }
  expect(loosest([settings, { ...settings, startDayOffset: 0, maxStartDate: 365, maxEndDate: 365 }])).toEqual({
    hasAmountCancellation: false,
    startDayOffset: 0,
    maxStartDate: 365,
    maxEndDate: 426,
  })
})

test('a price of an older node, without dates, is for the trip', () => {
  const trip = { startDate: '2026-12-01', endDate: '2026-12-08' }
  // Safe: an older node sends such prices, and nothing else of them is read.
  const older = { productUUID: 'ESS', total: 12 } as never
  const term = { startDate: '2026-12-01', endDate: '2027-11-30' }
  // Safe: likewise.
  const annual = { productUUID: 'ANN', total: 90, ...term } as never
  const standings = standingsOf([older, annual], trip)
  expect(standings.get('ESS')).not.toHaveProperty('term')
  expect(standings.get('ANN')).toMatchObject({ term })
})
