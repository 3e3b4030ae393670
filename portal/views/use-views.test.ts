import { expect, it } from 'vitest'
import { lacksCounts, viewIn, viewShown, viewsIn } from './use-views.ts'

const list = { paramNames: ['from', 'agent', 'sort'], orderNames: ['sort'] }
const views = [
  { id: 'all', params: {} },
  { id: 'leaving', params: { from: '0d', sort: 'startDate' } },
  { id: 'dear', params: { from: '0d', sort: 'total' } },
]
const shown = (params: object) => viewShown(list, views, { page: '2', search: 'ruiz', policy: 'x', ...params })?.id

it('a view is recognised by its filters, without page, search and open policy', () => {
  expect(shown({})).toBe('all')
  expect(shown({ from: '0d', sort: 'startDate' })).toBe('leaving')
  expect(shown({ from: '6d', sort: 'startDate' })).toBeUndefined()
  expect(shown({ agent: 'me' })).toBeUndefined()
})

it('a view with its own order wins over one with the same filters', () => {
  expect(shown({ from: '0d', sort: 'total' })).toBe('dear')
  expect(shown({ from: '0d', sort: 'endDate' })).toBe('leaving')
})

it('a view keeps neither page nor search', () =>
  expect(viewIn(list.paramNames, { from: '0d', page: '2', search: 'ruiz', policy: 'x' })).toEqual({ from: '0d' }))

it('the tabs are the built-in views, then the own ones, with their counts', () => {
  const own = { viewUuid: 'u1', name: 'Dear', params: { sort: 'total' }, hidden: ['endDate'], count: 7 }
  const builtIn = [
    { id: 'all', label: 'All', params: {} },
    { id: 'mine', label: 'Mine', params: { agent: 'me' } },
  ]
  expect(viewsIn(builtIn, { builtIn: { mine: 0, all: 12 }, views: [own] })).toEqual([
    { id: 'all', label: 'All', params: {}, count: 12 },
    { id: 'mine', label: 'Mine', params: { agent: 'me' }, count: 0 },
    { id: 'u1', label: 'Dear', params: { sort: 'total' }, own, count: 7 },
  ])
  expect(viewsIn(builtIn, undefined).map(({ id, count }) => [id, count])).toEqual([
    ['all', null],
    ['mine', null],
  ])
})

it('missing counts are requested again, but not zeros', () => {
  const own = (count: number | null) => ({ viewUuid: 'u', name: 'Own', params: {}, count })
  expect(lacksCounts({ builtIn: { all: 0 }, views: [own(0)] })).toBe(false)
  expect(lacksCounts({ builtIn: { all: null }, views: [own(0)] })).toBe(true)
  expect(lacksCounts({ builtIn: { all: 0 }, views: [own(null)] })).toBe(true)
})
