import { expect, test } from 'vitest'
import { roles } from '#common/session/roles.ts'
import { menuFor, showsFunnel } from './menu.ts'
import { isPage, mayOpen } from './routes.ts'

const seller = [...roles.seller]
const paths = (granted: string[]) => menuFor(granted).map(item => ('entries' in item ? item.entries.map(({ to }) => to) : item.to))

test('a seller sees the whole menu, in the order of spec 2', { tags: 'S2.17' }, () => {
  expect(paths(seller)).toEqual(['/', ['/products', '/policies/saved', '/policies'], '/account', ['/claim', '/customer-service']])
})

test('a viewer sees no saved quotes', { tags: 'S2.6' }, () => {
  expect(paths(['b2b-access', 'b2b-policies-sold-view'])).toEqual([
    '/',
    ['/products', '/policies'],
    '/account',
    ['/claim', '/customer-service'],
  ])
})

test('a user who may only sell sees the products and the account', { tags: ['S2.5', 'S2.7', 'S2.8'] }, () => {
  expect(paths(['b2b-products-sell'])).toEqual(['/', ['/products'], '/account'])
})

test('a user without a permitted role sees no menu, by either permission name', { tags: ['S2.17', 'S6.2'] }, () => {
  expect(menuFor([])).toEqual([])
  expect(menuFor(['b2b-policies-sold-view'])).toEqual([])
  expect(paths(['ADMIN'])).toEqual([...paths(seller).slice(0, -1), ['/claim', '/customer-service', '/earnings'], '/administration'])
})

test.each([
  ['b2b-admin', 'ADMIN'],
  ['b2b-access', 'ACCESS'],
  ['b2b-products-sell', 'PRODUCTS_SELL'],
])('%s alone opens the menu, and so does its other name %s', { tags: 'S6.2' }, (first, second) => {
  expect(paths([first])).not.toEqual([])
  expect(paths([second])).toEqual(paths([first]))
})

test('the sidebar’s one entry needs the permissions to open the funnel and to sell', { tags: 'S2.19' }, () => {
  expect(showsFunnel(['b2b-access', 'b2b-products-sell'])).toBe(true)
  expect(showsFunnel(['b2b-products-sell'])).toBe(false)
  expect(showsFunnel(['b2b-access'])).toBe(false)
})

test('the funnel needs access, and its step is 1 to 3', { tags: ['S2.3', 'S2.14', 'S2.19'] }, () => {
  expect([mayOpen(['b2b-products-sell'], '/funnel'), mayOpen(['ACCESS'], '/funnel')]).toEqual([false, true])
  const page = (query: string) => isPage('/funnel', new URLSearchParams(query))
  expect(['', 'step=1', 'step=3', 'step=0', 'step=4', 'step=x', 'step='].map(page)).toEqual([true, true, true, false, false, false, false])
  expect([isPage('/products', new URLSearchParams('step=9')), isPage('/nowhere', new URLSearchParams())]).toEqual([true, false])
})
