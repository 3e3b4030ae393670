import { isNotFound, isRedirect } from '@tanstack/react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { agency } from '#common/agency/calls.ts'
import { settings as settingsCall } from '#common/business-unit/calls.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { policyDay, policySales } from '#common/policies/day-calls.ts'
import { login } from '#common/session/calls.ts'
import { home } from '#common/session/redirect.ts'
import { listRequest } from '#portal/policies/list-params.ts'
import { type Browser, openBrowser, signInTo } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoPassword } from '#server/session/testing.ts'

let app: TestApp
let browser: Browser
let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  portal = await openPortal()
})
afterEach(async () => {
  portal.forgetSession()
  await browser.close()
})

async function openPortal() {
  const [guards, start, session, out, menu, { ask }, { Forbidden }, { useProducts }, { useSettings }] = await Promise.all([
    import('./guards.ts'),
    import('./start.ts'),
    import('#portal/session/session.ts'),
    import('#portal/session/sign-out.ts'),
    import('./change-unit.ts'),
    import('#portal/kit/ask.ts'),
    import('./error-screen.tsx'),
    import('#portal/products/store.ts'),
    import('#portal/business-unit/settings.ts'),
  ])
  return { ...guards, ...start, ...session, ...out, ...menu, ask, Forbidden, useProducts, useSettings }
}

/** Returns a navigation to an address of the portal. */
function to(href: string, preload = false) {
  const { pathname, search: searchStr } = new URL(href, 'http://portal.example')
  return { location: { pathname, searchStr, href }, preload }
}

/** Returns where a guard leads, `not found`, or undefined where it lets the navigation pass. */
async function ledTo(guard: Promise<unknown>): Promise<unknown> {
  try {
    await guard
    return undefined
  } catch (error) {
    if (isNotFound(error)) return 'not found'
    if (!isRedirect(error)) throw error
    const { to, href, search } = error.options
    return href ?? (search && Object.keys(search).length > 0 ? { to, search } : to)
  }
}

const tokenOf = async (email: string): Promise<string> => {
  const { callback } = await portal.ask(login, { email, password: demoPassword })
  return new URL(callback, 'http://portal.example').searchParams.get('token') ?? ''
}

const callbackWith = (token: string, redirect?: string) =>
  `/auth/callback?${new URLSearchParams({ token, email: 'x@x.example', loggedIn: 'true', ...(redirect ? { redirect } : {}) }).toString()}`

/** Opens a session as the callback does; the portal has not begun. */
async function openSession(email: string): Promise<void> {
  await ledTo(portal.checkRoute(to(callbackWith(await tokenOf(email)))))
}

test.each([
  ['/funnel?step=2', undefined],
  ['/funnel?step=4', 'not found'],
  ['/policies', undefined],
])('the guard of all routes leads %s to %s', async (href, expected) => {
  expect(await ledTo(portal.checkRoute(to(href)))).toBe(expected)
})

test('a page of the signed-in leads to the sign-in, and from there back to it', async () => {
  expect(await ledTo(portal.checkSignedIn(to('/policies?page=2')))).toEqual({
    to: '/auth/sign-in',
    search: { redirect: '/policies?page=2' },
  })
})

test('the home page leads to a sign-in that names no page', async () => {
  expect(await ledTo(portal.checkSignedIn(to(home)))).toBe('/auth/sign-in')
})

test('a page of the signed-in has its products before it is shown', async () => {
  await openSession('agent@azahar.example')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.hasStarted()).toBe(true)
  expect(portal.useProducts.getState().products).not.toEqual([])
})

test('the first list and the day come with the page, and later ones are asked for', { tags: 'S7.22' }, async () => {
  await openSession('agent@azahar.example')
  await ledTo(portal.checkSignedIn(to('/policies')))
  browser.asked.length = 0
  const { policyStatusTypes } = portal.useSettings.getState().settings ?? {}
  const request = listRequest(policyStatusTypes?.purchased.uuid ?? '', {}, '2026-11-20')
  const [list] = await Promise.all([portal.ask(listPolicies, request), portal.ask(policyDay, {}), portal.ask(policySales, {})])
  expect([list.page, browser.asked]).toEqual([1, []])
  await portal.ask(listPolicies, request)
  expect(browser.asked).toEqual(['/api/policy/list'])
})

test('a reply that came with the first page is not shown after a navigation', { tags: 'S7.22' }, async () => {
  await openSession('agent@azahar.example')
  await ledTo(portal.checkSignedIn(to('/account')))
  await portal.checkSignedIn(to('/account?tab=agency'))
  browser.asked.length = 0
  await portal.ask(agency, {})
  expect(browser.asked).toEqual(['/api/agency'])
})

test('a page without permission begins with the home page’s data', { tags: 'S7.22' }, async () => {
  await openSession('viewer@azahar.example')
  browser.asked.length = 0
  expect(await ledTo(portal.checkSignedIn(to('/policies/saved')))).toBeUndefined()
  expect(browser.asked.map(path => path.split('?')[0])).toEqual(['/policies/saved/_payload.json', '/products/_payload.json'])
  expect(() => portal.checkPermission(to('/policies/saved'))).toThrow(portal.Forbidden)
})

test('every further navigation checks the session, a preload does not', { tags: 'S7.21' }, async () => {
  await signInTo('agent@azahar.example')
  browser.asked.length = 0
  await portal.checkSignedIn(to('/policies', true))
  expect(browser.asked).toEqual([])
  await portal.checkSignedIn(to('/policies'))
  expect(browser.asked).toEqual(['/api/users/me'])
})

test('an outage at the start leads to no sign-in, and the next navigation begins', async () => {
  await openSession('agent@azahar.example')
  browser.line = () => Promise.reject(new TypeError('the line is dead'))
  await expect(portal.checkSignedIn(to('/policies'))).rejects.toThrow()
  expect(portal.hasStarted()).toBe(false)
  browser.line = send => send()
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.hasStarted()).toBe(true)
})

test('the callback opens a session and leads to the page that was wanted', async () => {
  const token = await tokenOf('agent@azahar.example')
  expect(await ledTo(portal.checkRoute(to(callbackWith(token, '/policies?page=2'))))).toBe('/policies?page=2')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.useSession.getState().email).toBe('agent@azahar.example')
})

test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', undefined])(
  'the callback leads home instead of to %s',
  async redirect => {
    const token = await tokenOf('agent@azahar.example')
    expect(await ledTo(portal.checkRoute(to(callbackWith(token, redirect))))).toBe(home)
  },
)

test.each(['/auth/callback', '/auth/callback?token=', '/auth/callback?token=7', '/policies?token=', '/policies?token=7'])(
  '%s opens no session and leads to the sign-in',
  { tags: 'S4.17' },
  async href => {
    expect(await ledTo(portal.checkRoute(to(href)))).toBe('/auth/sign-in')
    browser.asked.length = 0
    expect(await ledTo(portal.checkSignedIn(to(home)))).toBe('/auth/sign-in')
    expect(browser.asked).toEqual([])
  },
)

test('a token in the URL of any page opens a session, and leads to that page without the query', { tags: 'S4.17' }, async () => {
  const token = await tokenOf('agent@azahar.example')
  const href = `/policies?page=2&token=${token}&email=agent@azahar.example&loggedIn=true`
  expect(await ledTo(portal.checkRoute(to(href, true)))).toBeUndefined()
  expect(await ledTo(portal.checkRoute(to(href)))).toBe('/policies')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.useSession.getState().email).toBe('agent@azahar.example')
  expect(await ledTo(portal.checkRoute(to(href)))).toBe('/auth/sign-in')
})

test('a forged token in the URL leaves the session of the signed-in user as it is', { tags: 'S4.17' }, async () => {
  await signInTo('agent@azahar.example')
  expect(await ledTo(portal.checkRoute(to('/policies?token=forged')))).toBe('/auth/sign-in')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.useSession.getState().email).toBe('agent@azahar.example')
})

test('a page without the permission for it is forbidden, and any other opens', async () => {
  await signInTo('viewer@azahar.example')
  expect(() => portal.checkPermission(to('/administration'))).toThrow(portal.Forbidden)
  expect(() => portal.checkPermission(to('/policies'))).not.toThrow()
  expect(() => portal.checkPermission(to('/nowhere'))).not.toThrow()
})

test('another unit brings its own settings, and the calls speak for it', async () => {
  await signInTo('multi@portolan.example')
  const [, second] = portal.useSession.getState().user?.businessUnits ?? []
  const before = portal.useSettings.getState().settings
  await portal.changeUnit(second?.uuid ?? '')
  expect(portal.currentUnitOf(portal.useSession.getState())).toBe(second)
  const after = portal.useSettings.getState().settings
  expect(after).toEqual(await portal.ask(settingsCall, {}))
  expect(after).not.toEqual(before)
})

/** Holds back the first call that comes until it is let go. */
function holdFirst() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let calls = 0
  browser.line = async send => {
    calls += 1
    const isFirst = calls === 1
    const reply = await send()
    if (isFirst) await promise
    return reply
  }
  return resolve
}

test('the unit that was chosen last is worked for, whichever reply comes last', async () => {
  await signInTo('multi@portolan.example')
  const [first, second] = portal.useSession.getState().user?.businessUnits ?? []
  const letGo = holdFirst()
  const slow = portal.changeUnit(second?.uuid ?? '')
  await portal.changeUnit(first?.uuid ?? '')
  letGo()
  await slow
  expect(portal.currentUnitOf(portal.useSession.getState())).toBe(first)
})

test('a change of unit that is answered after a sign-out changes nothing', async () => {
  await signInTo('multi@portolan.example')
  const [, second] = portal.useSession.getState().user?.businessUnits ?? []
  const letGo = holdFirst()
  const slow = portal.changeUnit(second?.uuid ?? '')
  portal.forgetSession()
  letGo()
  await slow
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, user: undefined, unitUuid: undefined })
  expect(portal.useProducts.getState().products).toEqual([])
})

test('a start that is answered after a sign-out has not begun', async () => {
  await openSession('agent@azahar.example')
  const letGo = holdFirst()
  const starting = portal.start(home, '')
  portal.forgetSession()
  letGo()
  expect(await starting).toBe(false)
  expect(portal.hasStarted()).toBe(false)
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, user: undefined })
})

test('a start during whose last steps another tab signs out has not begun', async () => {
  await openSession('agent@azahar.example')
  const starting = portal.start(home, '')
  await new Promise<void>(resolve => {
    const stop = portal.useSession.subscribe(({ user }) => {
      if (!user) return
      stop()
      resolve()
    })
  })
  portal.forgetSession()
  expect(await starting).toBe(false)
  expect(portal.hasStarted()).toBe(false)
})
