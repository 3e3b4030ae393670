import { describe, expect, it } from 'vitest'
import { builtInViews, conditionsOf, dayIn, daysIn, listKinds } from './views.ts'

const today = '2026-03-10'
const uuid = (digit: string): string => `${digit.repeat(8)}-0000-7000-8000-000000000000`
const context = {
  today,
  userUuid: uuid('a'),
  statusTypes: { purchased: { uuid: 'p' }, budgeted: { uuid: 'b' }, cancelled: { uuid: 'c' } },
}

describe('a day of a list', () => {
  it.each([
    ['2026-02-28', '2026-02-28'],
    ['0d', today],
    ['6d', '2026-03-16'],
    ['-10d', '2026-02-28'],
    ['2026-02-30', undefined],
    ['d', undefined],
    ['1000d', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j', (param, day) => expect(dayIn(param, today)).toBe(day))

  it('a day is ignored if more than a year ahead, or in the wrong order', () => {
    expect(daysIn('0d', '365d', today)).toEqual({ from: today, to: '2027-03-10', ignored: [] })
    expect(daysIn('0d', '366d', today)).toEqual({ from: today, to: null, ignored: ['366d'] })
    expect(daysIn('soon', '2027-03-11', today)).toEqual({ from: null, to: null, ignored: ['soon', '2027-03-11'] })
    expect(daysIn('2026-05-01', '2026-04-01', today)).toEqual({ from: '2026-05-01', to: null, ignored: ['2026-04-01'] })
    expect(daysIn('6d', '0d', today)).toEqual({ from: '2026-03-16', to: null, ignored: [today] })
  })
})

describe('the parameters of a view', () => {
  it('a view’s parameters become the filters of its list', () => {
    const params = { from: '0d', to: '6d', returnFrom: '2026-03-20', returnTo: 'soon', agent: 'me', product: uuid('b'), sort: 'total' }
    expect(conditionsOf('purchased', params, context)).toEqual({
      statusTypeUuid: 'p',
      dateFrom: today,
      dateTo: '2026-03-16',
      returnFrom: '2026-03-20',
      sellerUuid: uuid('a'),
      productUuid: uuid('b'),
    })
    expect(conditionsOf('budgeted', { agent: uuid('c') }, context)).toMatchObject({ statusTypeUuid: 'b', sellerUuid: uuid('c') })
  })

  it('a view’s parameters accept only a status of their list', () => {
    const statusOf = (kind: 'purchased' | 'budgeted', status: string) => {
      const { statusTypeUuid, status: narrowed } = conditionsOf(kind, { status }, context)
      return [statusTypeUuid, narrowed]
    }
    expect(statusOf('purchased', 'cancelled')).toEqual(['c', undefined])
    expect(statusOf('purchased', 'pending')).toEqual(['p', undefined])
    expect(statusOf('budgeted', 'pending')).toEqual(['b', 'pending'])
    expect(statusOf('budgeted', 'cancelled')).toEqual(['b', undefined])
  })

  it('a view’s parameters are ignored where the call would refuse them', () =>
    expect(conditionsOf('purchased', { agent: 'x', product: '1', from: 'x' }, context)).toEqual({
      statusTypeUuid: 'p',
      dateFrom: null,
      dateTo: null,
    }))
})

it('every built-in view has its own conditions', () => {
  for (const kind of listKinds) {
    const all = builtInViews[kind].map(({ params }) => JSON.stringify(conditionsOf(kind, params, context)))
    expect(new Set(all).size).toBe(all.length)
    expect(builtInViews[kind][0]).toEqual({ id: 'all', params: {} })
  }
})
