import { expect, test } from 'vitest'
import { isExternal, redirectOf } from './routes.ts'
import { routeRules } from './schemas.ts'

const read = (rules: unknown) => routeRules.safeParse(rules).success

test('a rule leads from a path to a path or to an http(s) address', { tags: 'S2.16' }, () => {
  expect(read({ '/old': { redirect: '/new' }, '/shop': { redirect: 'https://shop.example/x?y=1' } })).toBe(true)
  for (const target of ['javascript:alert(1)', '//evil.example', 'data:text/html,x', 'new', '', '/a b', 'https:///x', '\\\\evil.example'])
    expect([target, read({ '/old': { redirect: target } })]).toEqual([target, false])
  for (const path of ['old', '//old', '/old?x=1', 'https://old.example'])
    expect([path, read({ [path]: { redirect: '/new' } })]).toEqual([path, false])
})

test('a rule redirects its own path only', { tags: 'S2.15' }, () => {
  const rules = { '/old': { redirect: '/new' }, '/same': { redirect: '/same' } }
  expect([redirectOf(rules, '/old'), redirectOf(rules, '/same'), redirectOf(rules, '/new'), redirectOf(rules, 'constructor')]).toEqual([
    '/new',
    undefined,
    undefined,
    undefined,
  ])
  expect([isExternal('/new'), isExternal('https://x.example')]).toEqual([false, true])
})
