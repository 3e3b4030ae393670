import { expect, it } from 'vitest'
import { viewIn, viewShown } from './use-views.ts'

const list = { paramNames: ['from', 'agent', 'sort'], orderNames: ['sort'] }
const views = [
  { id: 'all', params: {} },
  { id: 'leaving', params: { from: '0d', sort: 'startDate' } },
  { id: 'dear', params: { from: '0d', sort: 'total' } },
]
const shown = (params: object) => viewShown(list, views, { page: '2', search: 'ruiz', policy: 'x', ...params })?.id

it('a view is recognised by its conditions, without page, search and open policy', () => {
  expect(shown({})).toBe('all')
  expect(shown({ from: '0d', sort: 'startDate' })).toBe('leaving')
  expect(shown({ from: '6d', sort: 'startDate' })).toBeUndefined()
  expect(shown({ agent: 'me' })).toBeUndefined()
})

it('a view in its own order goes before one with the same conditions', () => {
  expect(shown({ from: '0d', sort: 'total' })).toBe('dear')
  expect(shown({ from: '0d', sort: 'endDate' })).toBe('leaving')
})

it('a view keeps neither page nor search', () =>
  expect(viewIn(list.paramNames, { from: '0d', page: '2', search: 'ruiz', policy: 'x' })).toEqual({ from: '0d' }))
