import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { largestPage } from '#common/kit/call.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { idIn, listChanges, type ListParams, oneOf, pageIn, withoutEmpty } from './list-params.ts'
import { readQuery, textParams, writeQuery } from './query-text.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => browser.close())

const names = ['page', 'search', 'sort', 'open'] as const
type Name = (typeof names)[number]

/** Opens a list at a URL, in the real router without rendering. */
async function openList(...addresses: string[]) {
  const root = createRootRoute()
  const list = createRoute({ getParentRoute: () => root, path: '/list', validateSearch: textParams(...names) })
  const router = createRouter({
    routeTree: root.addChildren([list]),
    history: createMemoryHistory({ initialEntries: addresses }),
    parseSearch: readQuery,
    stringifySearch: writeQuery,
  })
  router.history.subscribe(() => void router.load())
  await router.load()
  let navigation: Promise<void> = Promise.resolve()
  const scrolls: (boolean | undefined)[] = []
  const changes = listChanges<Name>(target => {
    scrolls.push(target.resetScroll)
    navigation = router.navigate(target)
    return navigation
  })
  return {
    ...changes,
    scrolls,
    /** Returns the URL once the change is done. */
    address: async () => {
      await navigation
      return router.state.location.href
    },
    params: () => router.state.matches.at(-1)?.search,
    back: () => {
      const isLoaded = Promise.withResolvers<string>()
      router.subscribe('onResolved', () => isLoaded.resolve(router.state.location.href))
      router.history.back()
      return isLoaded.promise
    },
  }
}

test('a filter leads to the first page and keeps the other filters', async () => {
  const list = await openList('/list?page=3&sort=name&search=old')
  list.filter({ search: 'new' })
  expect(await list.address()).toBe('/list?sort=name&search=new')
})

test('a filter that names a page leads to that page', async () => {
  const list = await openList('/list?search=a')
  list.filter({ search: 'b', page: '2' })
  expect(await list.address()).toBe('/list?search=b&page=2')
})

test('a filter that is emptied is removed from the URL', async () => {
  const list = await openList('/list?search=a&sort=name')
  list.filter({ search: '', sort: undefined })
  expect(await list.address()).toBe('/list')
})

test('a filter adds no entry to the browser’s history', async () => {
  const list = await openList('/list', '/list?search=a')
  list.filter({ search: 'b' })
  expect(await list.address()).toBe('/list?search=b')
  expect(await list.back()).toBe('/list')
})

test('a record opens on the same page, and the back button closes it', async () => {
  const list = await openList('/list?page=2&search=a')
  list.show({ open: 'x' })
  expect(await list.address()).toBe('/list?page=2&search=a&open=x')
  expect(await list.back()).toBe('/list?page=2&search=a')
})

test('a record that is closed leaves the URL as before', async () => {
  const list = await openList('/list?page=2&open=x')
  list.show({ open: undefined })
  expect(await list.address()).toBe('/list?page=2')
})

test('another page adds an entry to the history, and the first page has no number', async () => {
  const list = await openList('/list?search=a')
  list.turnTo(2)
  expect(await list.address()).toBe('/list?search=a&page=2')
  list.turnTo(1)
  expect(await list.address()).toBe('/list?search=a')
  expect(await list.back()).toBe('/list?search=a&page=2')
})

test('a page beyond the last one is replaced by the last one', async () => {
  const list = await openList('/list?search=a', '/list?search=a&page=9')
  list.stayWithin(4)
  expect(await list.address()).toBe('/list?search=a&page=4')
  list.stayWithin(1)
  expect(await list.address()).toBe('/list?search=a')
  expect(await list.back()).toBe('/list?search=a')
})

test('another list begins with its own filters only, and the back button returns', async () => {
  const list = await openList('/list?page=2&search=a&open=x')
  list.switchTo({ sort: 'name', search: '' })
  expect(await list.address()).toBe('/list?sort=name')
  expect(await list.back()).toBe('/list?page=2&search=a&open=x')
})

test('only another page scrolls to the top', async () => {
  const list = await openList('/list')
  list.filter({ search: 'a' })
  list.show({ open: 'x' })
  list.stayWithin(2)
  list.switchTo({})
  list.turnTo(2)
  list.show({ open: 'y' }, { resetScroll: true })
  await list.address()
  expect(list.scrolls).toEqual([false, false, false, false, true, true])
})

test('a route reads only its own parameters, as text, and no empty ones', () => {
  expect(textParams(...names)({ page: '2', token: 'secret', search: '', sort: 2, open: undefined })).toEqual({ page: '2' })
})

test('a parameter that is undefined is not written', () => {
  expect([writeQuery({ page: undefined, search: 'a' }), writeQuery({ page: undefined })]).toEqual(['?search=a', ''])
})

/** Any text of a URL. A lone surrogate cannot be sent in one. */
const text = fc.string({ unit: 'grapheme' }).filter(text => text.isWellFormed())
const anyParams: fc.Arbitrary<ListParams<Name>> = fc.record({ page: text, search: text, sort: text, open: text }, { requiredKeys: [] })

test('any state is read back unchanged from its URL', () => {
  const read = textParams(...names)
  fc.assert(
    fc.property(anyParams, params => {
      expect(read(readQuery(writeQuery(params)))).toEqual(withoutEmpty(params))
    }),
  )
})

test('a URL that is read and written again does not change', () => {
  fc.assert(
    fc.property(anyParams, params => {
      const query = writeQuery(params)
      expect(writeQuery(readQuery(query))).toBe(query)
    }),
  )
})

test('any filter can be set over any state and undone by the previous values', async () => {
  await fc.assert(
    fc.asyncProperty(anyParams, anyParams, async (before, filters) => {
      const list = await openList(`/list${writeQuery(withoutEmpty(before))}`)
      list.filter(filters)
      await list.address()
      expect(list.params()).toEqual(withoutEmpty({ ...before, page: undefined, ...filters }))
      list.filter({ ...Object.fromEntries(names.map(name => [name, undefined])), ...before })
      await list.address()
      expect(list.params()).toEqual(withoutEmpty(before))
    }),
    { numRuns: 50 },
  )
})

test('every page to which the list turns is read as that page', async () => {
  const pages = fc.integer({ min: 1, max: largestPage })
  await fc.assert(
    fc.asyncProperty(pages, pages, async (first, second) => {
      const list = await openList('/list')
      list.turnTo(first)
      await list.address()
      list.turnTo(second)
      await list.address()
      expect(pageIn(list.params() ?? {})).toBe(second)
    }),
    { numRuns: 50 },
  )
})

test.each(['0', '-1', '1.5', '1e3', '01', ' 1', String(largestPage + 1), '9'.repeat(400), 'two', '', undefined])(
  'the page %j is the first page',
  page => {
    expect(pageIn(page === undefined ? {} : { page })).toBe(1)
  },
)

test('any text is one of the values or none of them', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text), text, (values, param) => {
      expect(oneOf(values, param)).toBe(values.includes(param) ? param : undefined)
    }),
  )
  expect(oneOf(['open'], undefined)).toBeUndefined()
})

test('an id is read in either case, and no text that only contains one', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (uuid, isUpper) => {
      const param = isUpper ? uuid.toUpperCase() : uuid
      expect(idIn(param)).toBe(param)
      for (const other of [` ${param}`, `${param}0`, param.slice(1), param.replaceAll('-', '')]) expect(idIn(other)).toBeUndefined()
    }),
  )
  expect(idIn(undefined)).toBeUndefined()
})
