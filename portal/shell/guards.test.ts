import { isNotFound, isRedirect } from '@tanstack/react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { agency } from '#common/agency/calls.ts'
import { settings as settingsCall } from '#common/business-unit/calls.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { policyDay, policySales } from '#common/policies/day-calls.ts'
import { policyViews } from '#common/policies/views/calls.ts'
import { home } from '#common/session/redirect.ts'
import { payloadOf } from '#common/shell/calls.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { listRequest } from '#portal/policies/list-params.ts'
import { signInTo, tokenOf } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let browser: Browser
let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  app = await testApp({
    ROUTE_RULES: JSON.stringify({ '/old': { redirect: '/policies' }, '/help': { redirect: 'https://help.example/start' } }),
  })
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
  const [
    guards,
    start,
    session,
    out,
    menu,
    asking,
    builds,
    words,
    cache,
    { Forbidden },
    { useProducts },
    { useSettings },
    { whenWritten },
  ] = await Promise.all([
    import('./guards.ts'),
    import('./start.ts'),
    import('#portal/session/session.ts'),
    import('#portal/session/sign-out.ts'),
    import('./user-choices.ts'),
    import('#portal/kit/ask.ts'),
    import('./build/new-build.ts'),
    import('#portal/kit/words.tsx'),
    import('#portal/kit/queries.ts'),
    import('./error-screen.tsx'),
    import('#portal/products/store.ts'),
    import('#portal/business-unit/settings.ts'),
    import('#portal/kit/kept/encrypted-storage.ts'),
  ])
  return {
    ...guards,
    ...start,
    ...session,
    ...out,
    ...menu,
    ...asking,
    ...builds,
    ...words,
    ...cache,
    Forbidden,
    useProducts,
    useSettings,
    whenWritten,
  }
}

/** Returns a navigation to a URL of the portal. */
function to(href: string, preload = false) {
  const { pathname, search: searchStr } = new URL(href, 'http://portal.example')
  return { location: { pathname, searchStr, href }, preload }
}

/** Returns the target of a guard’s redirect, or `not found`; undefined if the navigation may pass. */
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

/** Ends the session at the service. The browser keeps its cookie. */
const endElsewhere = () =>
  app.ask('/api/auth/session', {
    method: 'DELETE',
    headers: { cookie: [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ') },
  })

const callbackWith = (token: string, redirect?: string) =>
  `/auth/callback?${new URLSearchParams({ token, email: 'x@x.example', loggedIn: 'true', ...(redirect ? { redirect } : {}) }).toString()}`

/** Opens a session as the callback does. The portal has not started yet. */
async function openSession(email: string): Promise<void> {
  await ledTo(portal.checkRoute(to(callbackWith(await tokenOf(email)))))
}

test.each([
  ['/funnel?step=2', undefined],
  ['/funnel?step=4', 'not found'],
  ['/policies', undefined],
])('the guard of all routes leads %s to %s', { tags: ['S2.14', 'S8.8'] }, async (href, expected) => {
  expect(await ledTo(portal.checkRoute(to(href)))).toBe(expected)
})

/** Loads the redirects, as a page of the service's own build does. */
async function loadRedirects(): Promise<void> {
  const { id } = (await app.ask('/builds/latest.json')).body
  browser.tab.window.elements.set('meta[name=portolan-build]', { content: id })
  vi.resetModules()
  portal = await openPortal()
  await portal.loadRouteRules()
}

test('a route that the service redirects leads to its target', { tags: ['S2.15', 'S7.22'] }, async () => {
  await loadRedirects()
  expect(await ledTo(portal.checkRoute(to('/old')))).toBe('/policies')
  expect(await ledTo(portal.checkRoute(to('/policies')))).toBeUndefined()
})

test('a route that the service redirects to another site leaves the portal', { tags: 'S2.15' }, async () => {
  await loadRedirects()
  void portal.checkRoute(to('/help'))
  await expect.poll(() => browser.tab.window.left).toEqual(['https://help.example/start'])
})

test('a user without the required second factor is led to its setup, and then back', async () => {
  const { kysely } = app.world.database
  const unit = await kysely.selectFrom('business_units').select(['id', 'settings']).where('key', '=', 'azahar').executeTakeFirstOrThrow()
  const save = (settings: object) =>
    kysely
      .updateTable('business_units')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', unit.id)
      .execute()
  await openSession('agent@azahar.example')
  await save({ ...unit.settings, twoFactorRequired: true })
  const led = [await ledTo(portal.checkSignedIn(to('/policies?page=2'))), await ledTo(portal.checkSignedIn(to(home)))]
  await save(unit.settings)
  expect(led).toEqual([{ to: '/auth/two-factor', search: { redirect: '/policies?page=2' } }, '/auth/two-factor'])
})

test('a page for signed-in users redirects to the sign-in, and then back', async () => {
  expect(await ledTo(portal.checkSignedIn(to('/policies?page=2')))).toEqual({
    to: '/auth/sign-in',
    search: { redirect: '/policies?page=2' },
  })
})

test('the home page redirects to a sign-in without a target page', async () => {
  expect(await ledTo(portal.checkSignedIn(to(home)))).toBe('/auth/sign-in')
})

test('with external sign-in, an ended session redirects to its host, and then back', { tags: 'S8.4' }, async () => {
  await openSession('agent@azahar.example')
  const { window } = browser.tab
  window.elements.set('meta[name=portolan-sign-in]', {})
  await endElsewhere()
  const left = new Promise(resolve => Object.assign(window.location, { assign: resolve }))
  const guard = ledTo(portal.checkSignedIn(to('/policies?page=2')))
  expect(await Promise.race([left, guard])).toBe('/api/auth/start?redirect=%2Fpolicies%3Fpage%3D2')
})

test('a session whose user belongs to no agency is forgotten and leads to the sign-in', { tags: 'S8.5' }, async () => {
  await signInTo('manager@azahar.example')
  await portal.whenWritten()
  await browser.reload()
  portal = await openPortal()
  expect(portal.useSession.getState().loggedIn).toBe(true)
  const { kysely } = app.world.database
  const manager = kysely.selectFrom('users').select('id').where('email', '=', 'manager@azahar.example')
  await kysely.deleteFrom('memberships').where('user_id', '=', manager).execute()
  expect(await ledTo(portal.checkSignedIn(to(home)))).toBe('/auth/sign-in')
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, email: '', user: undefined })
})

test('a page for signed-in users has its products before it is shown', async () => {
  await openSession('agent@azahar.example')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.hasStarted()).toBe(true)
  expect(portal.useProducts.getState().products).not.toEqual([])
})

test('the first list and the day come with the page, and later ones are requested', { tags: 'S7.22' }, async () => {
  await openSession('agent@azahar.example')
  await ledTo(portal.checkSignedIn(to('/policies')))
  browser.asked.length = 0
  const { settings } = portal.useSettings.getState()
  if (!settings) throw new Error('no settings')
  const request = listRequest('purchased', {}, { today: '2026-11-20', userUuid: '', statusTypes: settings.policyStatusTypes })
  const [list] = await Promise.all([
    portal.ask(listPolicies, request),
    portal.ask(policyViews, { list: 'purchased' }),
    portal.ask(policyDay, {}),
    portal.ask(policySales, {}),
  ])
  expect([list.page, browser.asked]).toEqual([1, []])
  await portal.ask(listPolicies, request)
  expect(browser.asked).toEqual(['/api/policy/list'])
})

test('a response that came with the first page is not shown after a navigation', { tags: 'S7.22' }, async () => {
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

test('an outage at the start leads to no sign-in, and the next navigation starts', async () => {
  await openSession('agent@azahar.example')
  browser.connection = () => Promise.reject(new TypeError('no connection'))
  await expect(portal.checkSignedIn(to('/policies'))).rejects.toBeInstanceOf(portal.Unreachable)
  expect(portal.hasStarted()).toBe(false)
  browser.connection = send => send()
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.hasStarted()).toBe(true)
})

test('the callback opens a session and leads to the requested page', { tags: ['S2.9', 'S2.10'] }, async () => {
  const token = await tokenOf('agent@azahar.example')
  expect(await ledTo(portal.checkRoute(to(callbackWith(token, '/policies?page=2'))))).toBe('/policies?page=2')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.useSession.getState().email).toBe('agent@azahar.example')
})

test('the callback is replaced in the history, so that no URL keeps the token', { tags: 'S4.17' }, async () => {
  const token = await tokenOf('agent@azahar.example')
  const thrown = await portal.checkRoute(to(callbackWith(token))).catch((error: unknown) => error)
  expect(isRedirect(thrown) && thrown.options).toMatchObject({ href: home, replace: true })
})

test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', undefined])(
  'the callback redirects home instead of to %s',
  { tags: ['S2.9', 'S2.10'] },
  async redirect => {
    const token = await tokenOf('agent@azahar.example')
    expect(await ledTo(portal.checkRoute(to(callbackWith(token, redirect))))).toBe(home)
  },
)

test.each([
  '/auth/callback',
  '/auth/callback?token=',
  '/auth/callback?token=used-up',
  '/auth/callback?token=7',
  '/policies?token=',
  '/policies?token=7',
])('%s opens no session and leads to the sign-in', { tags: ['S2.11', 'S4.17', 'S8.6'] }, async href => {
  expect(await ledTo(portal.checkRoute(to(href)))).toBe('/auth/sign-in')
  browser.asked.length = 0
  expect(await ledTo(portal.checkSignedIn(to(home)))).toBe('/auth/sign-in')
  expect(browser.asked).toEqual([])
})

test('the callback applies the density that the user chose', async () => {
  const { useAppearance } = await import('#portal/kit/ui/appearance.ts')
  const save = (density: 'compact' | null) =>
    app.world.database.kysely.updateTable('users').set({ density }).where('email', '=', 'agent@azahar.example').execute()
  await save('compact')
  await openSession('agent@azahar.example')
  await save(null)
  expect(useAppearance.getState().density).toBe('compact')
})

test('a token in any page’s URL opens a session, and leads to the page without query', { tags: 'S4.17' }, async () => {
  const token = await tokenOf('agent@azahar.example')
  const href = `/policies?page=2&token=${token}&email=agent@azahar.example&loggedIn=true`
  expect(await ledTo(portal.checkRoute(to(href, true)))).toBeUndefined()
  expect(await ledTo(portal.checkRoute(to(href)))).toBe('/policies')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.useSession.getState().email).toBe('agent@azahar.example')
  expect(await ledTo(portal.checkRoute(to(href)))).toBe('/auth/sign-in')
})

test('a forged token in the URL does not change the signed-in user’s session', { tags: 'S4.17' }, async () => {
  await signInTo('agent@azahar.example')
  expect(await ledTo(portal.checkRoute(to('/policies?token=forged')))).toBe('/auth/sign-in')
  expect(await ledTo(portal.checkSignedIn(to('/policies')))).toBeUndefined()
  expect(portal.useSession.getState().email).toBe('agent@azahar.example')
})

test('a page without the permission for it is forbidden, and any other opens', { tags: ['S6.3', 'S8.7'] }, async () => {
  await signInTo('viewer@azahar.example')
  expect(() => portal.checkPermission(to('/administration'))).toThrow(portal.Forbidden)
  expect(() => portal.checkPermission(to('/policies'))).not.toThrow()
  expect(() => portal.checkPermission(to('/nowhere'))).not.toThrow()
})

test('every page behind a permission refuses users without it', { tags: ['S6.3', 'S8.7'] }, async () => {
  const [{ routeTree }, { routes }] = await Promise.all([import('#portal/routes.tsx'), import('#common/shell/routes.ts')])
  const pages = routesIn(routeTree)
  for (const [path, { needs }] of Object.entries(routes)) {
    const guard = pages.find(({ options }) => options.path === path)?.options.beforeLoad
    const check = async () => guard?.(to(path))
    const outcome = await check().catch((error: unknown) => error)
    expect(outcome instanceof portal.Forbidden, path).toBe(needs !== null && needs !== 'session')
  }
})

type Page = { options: { path?: string; beforeLoad?: (target: ReturnType<typeof to>) => unknown }; children?: unknown }

/** Returns a route and all routes below it. */
function routesIn(route: unknown): Page[] {
  // Safe: the guards read nothing else of their context.
  const page = route as Page
  return [page, ...Object.values(page.children ?? {}).flatMap(routesIn)]
}

test('the portal starts in the language of its user', async () => {
  const save = (locale: string | null) =>
    app.world.database.kysely.updateTable('users').set({ locale }).where('email', '=', 'agent@azahar.example').execute()
  await save('fr-FR')
  await signInTo('agent@azahar.example')
  await save(null)
  expect(portal.localeNow()).toBe('fr-FR')
})

test('the portal switches to the language of the unit, and keeps it in the cookie', { tags: 'S4.15' }, async () => {
  const kept = () => browser.cookies.get('i18n_redirected')?.value
  expect([portal.localeNow(), kept()]).toEqual(['es-ES', undefined])
  await signInTo('agent@rotta.example')
  expect([portal.localeNow(), kept()]).toEqual(['it-IT', 'it-IT'])
})

test('the payload of another unit than the current one changes nothing', async () => {
  await signInTo('multi@portolan.example')
  const [first, second] = portal.useSession.getState().user?.businessUnits ?? []
  const before = [portal.localeNow(), portal.useSettings.getState().settings]
  const payload = await portal.ask(payloadOf(home), {}, { unitToken: second?.token })
  expect([payload.unitUuid, first?.uuid === second?.uuid]).toEqual([second?.uuid, false])
  await portal.applyPayload(payload)
  expect([portal.localeNow(), portal.useSettings.getState().settings]).toEqual(before)
})

test('a change of unit removes everything that the page had loaded', async () => {
  await signInTo('multi@portolan.example')
  const [, second] = portal.useSession.getState().user?.businessUnits ?? []
  portal.queries.setQueryData(['policies'], 'of the first unit')
  await portal.changeUnit(second?.uuid ?? '')
  expect(portal.queries.getQueryData(['policies'])).toBeUndefined()
})

test('a change of unit loads its own settings and token', async () => {
  await signInTo('multi@portolan.example')
  const [, second] = portal.useSession.getState().user?.businessUnits ?? []
  const before = portal.useSettings.getState().settings
  await portal.changeUnit(second?.uuid ?? '')
  expect(portal.currentUnitOf(portal.useSession.getState())).toBe(second)
  const after = portal.useSettings.getState().settings
  expect(after).toEqual(await portal.ask(settingsCall, {}))
  expect(after).not.toEqual(before)
})

/** Delays the first call until it is released. */
function holdFirst() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let calls = 0
  browser.connection = async send => {
    calls += 1
    const isFirst = calls === 1
    const reply = await send()
    if (isFirst) await promise
    return reply
  }
  return resolve
}

test('the unit chosen last is active, whichever response comes last', async () => {
  await signInTo('multi@portolan.example')
  const [first, second] = portal.useSession.getState().user?.businessUnits ?? []
  const release = holdFirst()
  const slow = portal.changeUnit(second?.uuid ?? '')
  await portal.changeUnit(first?.uuid ?? '')
  release()
  await slow
  expect(portal.currentUnitOf(portal.useSession.getState())).toBe(first)
})

test('a change of unit whose response follows a sign-out changes nothing', async () => {
  await signInTo('multi@portolan.example')
  const [, second] = portal.useSession.getState().user?.businessUnits ?? []
  const release = holdFirst()
  const slow = portal.changeUnit(second?.uuid ?? '')
  portal.forgetSession()
  release()
  await slow
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, user: undefined, unitUuid: undefined })
  expect(portal.useProducts.getState().products).toEqual([])
})

test('a start whose response follows a sign-out has no effect', async () => {
  await openSession('agent@azahar.example')
  const release = holdFirst()
  const starting = portal.start(home, '')
  portal.forgetSession()
  release()
  expect(await starting).toBe(false)
  expect(portal.hasStarted()).toBe(false)
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, user: undefined })
})

test('a start has no effect if another tab signs out during its last steps', async () => {
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
