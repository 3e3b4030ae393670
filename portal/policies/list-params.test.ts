import { describe, expect, it } from 'vitest'
import { clean, daysOf, presets, questionOf, sortOf, spanOf } from './list-params.ts'

const today = '2026-03-10'

describe('what an address says of a list', () => {
  it('is asked for as the call takes it', () => {
    const look = { page: '3', perPage: '50', sort: 'policyTaker', order: 'desc', search: 'garcía', from: '2026-03-10', to: '2027-03-10' }
    expect(questionOf('u', look, today)).toEqual({
      statusTypeUuid: 'u',
      page: 3,
      perPage: 50,
      searchData: 'garcía',
      sortCriteria: [{ key: 'policyTaker', order: 'desc' }],
      dateFrom: '2026-03-10',
      dateTo: '2027-03-10',
    })
  })

  it('counts for nothing where the call would refuse it', () => {
    const look = { page: '0', perPage: '7', sort: 'total', from: '2026-03-09', to: '2027-03-11', search: 'x'.repeat(300) }
    const question = questionOf('u', look, today)
    expect(question).toMatchObject({ page: 1, perPage: 10, dateFrom: null, dateTo: null })
    expect(question.searchData).toHaveLength(200)
    expect(sortOf(look)).toEqual({ key: 'createdAt', order: 'desc' })
  })

  it('leaves out what is empty', () => expect(clean({ page: '2', search: '', from: undefined })).toEqual({ page: '2' }))
})

it('a span that was chosen is the one that is shown', () => {
  for (const days of presets) expect(spanOf(clean(daysOf(`${days}`, today)), today)).toBe(String(days))
  expect(spanOf(clean(daysOf('any', today)), today)).toBe('any')
  expect(spanOf(clean(daysOf('chosen', today)), today)).toBe('chosen')
})
