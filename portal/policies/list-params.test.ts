import { describe, expect, it } from 'vitest'
import { withoutEmpty } from '#portal/kit/list/list-params.ts'
import { daysOf, departuresIn, listRequest, presets, sortIn, spanIn } from './list-params.ts'

const today = '2026-03-10'

describe('the policy list’s state in the URL', () => {
  it('becomes the request for its page, size, order, search and dates', { tags: 'S3.12' }, () => {
    const params = { page: '3', perPage: '50', sort: 'policyTaker', order: 'desc', search: 'garcía', from: '2026-03-10', to: '2027-03-10' }
    expect(listRequest('u', params, today)).toEqual({
      statusTypeUuid: 'u',
      page: 3,
      perPage: 50,
      searchData: 'garcía',
      sortCriteria: [{ key: 'policyTaker', order: 'desc' }],
      dateFrom: '2026-03-10',
      dateTo: '2027-03-10',
    })
  })

  it('is the first page of ten rows by default', { tags: 'S9.1' }, () =>
    expect(listRequest('u', {}, today)).toMatchObject({ page: 1, perPage: 10 }),
  )

  it('is ignored where the call would refuse it', () => {
    const params = { page: '0', perPage: '7', sort: 'currency', from: '2026-02-30', to: '2027-03-11', search: 'x'.repeat(300) }
    const request = listRequest('u', params, today)
    expect(request).toMatchObject({ page: 1, perPage: 10, dateFrom: null, dateTo: null })
    expect(request.searchData).toHaveLength(200)
    expect(sortIn(params)).toEqual({ key: 'createdAt', order: 'desc' })
  })

  it.each([
    [
      { from: '2026-03-10', to: '2027-03-10' },
      { from: '2026-03-10', to: '2027-03-10', ignored: [] },
    ],
    [
      { from: '2019-01-01', to: '2019-12-31' },
      { from: '2019-01-01', to: '2019-12-31', ignored: [] },
    ],
    [{ to: '2026-03-09' }, { from: null, to: '2026-03-09', ignored: [] }],
    [
      { from: '2026-05-01', to: '2026-04-01' },
      { from: '2026-05-01', to: null, ignored: ['2026-04-01'] },
    ],
    [
      { from: 'soon', to: '2027-03-11' },
      { from: null, to: null, ignored: ['soon', '2027-03-11'] },
    ],
  ])('%j filters by past and future departures, and names what it ignores', { tags: 'S5.6' }, (params, days) => {
    expect(departuresIn(params, today)).toEqual(days)
    expect(listRequest('u', params, today)).toMatchObject({ dateFrom: days.from, dateTo: days.to })
  })

  it('has no empty parameters', () => expect(withoutEmpty({ page: '2', search: '', from: undefined })).toEqual({ page: '2' }))
})

it('the departure filter shows the span that was chosen', () => {
  for (const days of presets) expect(spanIn(withoutEmpty(daysOf(`${days}`, today)), today)).toBe(String(days))
  expect(spanIn(withoutEmpty(daysOf('any', today)), today)).toBe('any')
  expect(spanIn(withoutEmpty(daysOf('chosen', today)), today)).toBe('chosen')
  expect(daysOf('chosen', today)).toEqual({ from: today, to: '2027-03-10' })
})
