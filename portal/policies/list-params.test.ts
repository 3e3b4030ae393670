import { describe, expect, it } from 'vitest'
import { newestPage } from '#common/policies/search.ts'
import { withoutEmpty } from '#portal/kit/list/list-params.ts'
import { daysOf, listRequest, presetOf, presets, sortIn } from './list-params.ts'

const today = '2026-03-10'
const statusTypes = { purchased: { uuid: 'u' }, budgeted: { uuid: 'b' }, cancelled: { uuid: 'c' } }
const context = { today, userUuid: '0190a000-0000-7000-8000-000000000000', statusTypes }
const requestOf = (params: Parameters<typeof listRequest>[1]) => listRequest('purchased', params, context)

describe('the policy list’s state in the URL', () => {
  it('the URL becomes the request for its page, size, order, search and dates', { tags: 'S3.12' }, () => {
    const params = { page: '3', perPage: '50', sort: 'policyTaker', order: 'desc', search: 'garcía', from: '2026-03-10', to: '2027-03-10' }
    expect(requestOf(params)).toEqual({
      statusTypeUuid: 'u',
      page: 3,
      perPage: 50,
      searchData: 'garcía',
      sortCriteria: [{ key: 'policyTaker', order: 'desc' }],
      dateFrom: '2026-03-10',
      dateTo: '2027-03-10',
    })
  })

  it('the list is the first page of ten rows by default', { tags: 'S9.1' }, () =>
    expect(requestOf({})).toMatchObject({ page: 1, perPage: 10 }),
  )

  it('the first request is exactly the one that the payload answers', () =>
    expect(JSON.stringify(requestOf({}))).toBe(JSON.stringify(newestPage('u'))))

  it('a state is ignored where the call would refuse it', () => {
    const params = { page: '0', perPage: '7', sort: 'currency', from: '2026-02-30', to: '2027-03-11', search: 'x'.repeat(300) }
    const request = requestOf(params)
    expect(request).toMatchObject({ page: 1, perPage: 10, dateFrom: null, dateTo: null })
    expect(request.searchData).toHaveLength(200)
    expect(sortIn(params)).toEqual({ key: 'createdAt', order: 'desc' })
  })

  it.each([
    [
      { from: '2026-03-10', to: '2027-03-10' },
      { dateFrom: '2026-03-10', dateTo: '2027-03-10' },
    ],
    [
      { from: '2019-01-01', to: '2019-12-31' },
      { dateFrom: '2019-01-01', dateTo: '2019-12-31' },
    ],
    [{ to: '2026-03-09' }, { dateFrom: null, dateTo: '2026-03-09' }],
    [
      { from: '2026-05-01', to: '2026-04-01' },
      { dateFrom: '2026-05-01', dateTo: null },
    ],
    [
      { from: 'soon', to: '2027-03-11' },
      { dateFrom: null, dateTo: null },
    ],
    [
      { from: '-7d', to: '6d' },
      { dateFrom: '2026-03-03', dateTo: '2026-03-16' },
    ],
  ])('%j filters by past and future departures', { tags: 'S5.6' }, (params, days) => expect(requestOf(params)).toMatchObject(days))

  it('the request has no empty parameters', () => expect(withoutEmpty({ page: '2', search: '', from: undefined })).toEqual({ page: '2' }))
})

it('the departure filter shows the chosen period, also as dates of today', () => {
  for (const days of presets) {
    const { from, to } = daysOf(days)
    expect(presetOf(from, to, today)).toBe(days)
  }
  expect(presetOf('2026-03-10', '2026-03-16', today)).toBe(7)
  expect(presetOf('2026-03-10', '2026-03-17', today)).toBeUndefined()
  expect(presetOf('0d', undefined, today)).toBeUndefined()
  expect(presetOf(undefined, undefined, today)).toBeUndefined()
})
