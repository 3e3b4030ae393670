import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { home } from '#common/session/redirect.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const agent = 'agent@azahar.example'

let app: TestApp
let browser: Browser
let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo(agent)
  portal = await openPortal()
})
afterEach(async () => {
  portal.forgetSession()
  await browser.close()
})

/** Opens a page of the session, in a router without rendering. */
async function openPortal() {
  const [{ leave }, start, session, out] = await Promise.all([
    import('./leave.ts'),
    import('../start.ts'),
    import('#portal/session/session.ts'),
    import('#portal/session/sign-out.ts'),
  ])
  /** The user whose data is there when the sign-in page opens. */
  const users: (string | undefined)[] = []
  const root = createRootRoute()
  const pages = ['/products', '/policies'].map(path => createRoute({ getParentRoute: () => root, path }))
  const signIn = createRoute({
    getParentRoute: () => root,
    path: '/auth/sign-in',
    beforeLoad: () => void users.push(session.useSession.getState().user?.email),
  })
  const router = createRouter({
    routeTree: root.addChildren([...pages, signIn]),
    history: createMemoryHistory({ initialEntries: [home] }),
  })
  router.history.subscribe(() => void router.load())
  await router.load()
  return { leave, ...start, ...session, ...out, router, users }
}

const path = () => portal.router.state.location.pathname

test('leaving leads to the sign-in, and removes the data only after the page is gone', async () => {
  await portal.leave(portal.router.navigate)
  expect(path()).toBe('/auth/sign-in')
  expect(portal.users).toEqual([agent])
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, email: '', user: undefined })
})

test('unsaved input stops a navigation, but not leaving', async () => {
  const isAsked = Promise.withResolvers<void>()
  portal.router.history.block({
    blockerFn: () => {
      isAsked.resolve()
      return true
    },
  })
  void portal.router.navigate({ to: '/policies' })
  await isAsked.promise
  expect(path()).toBe(home)
  await portal.leave(portal.router.navigate)
  expect(path()).toBe('/auth/sign-in')
})

test('the page after leaving requests no session', async () => {
  await portal.leave(portal.router.navigate)
  browser.asked.length = 0
  expect(portal.hasStarted()).toBe(false)
  expect(await portal.start(home, '')).toBe(false)
  expect(browser.asked).toEqual([])
})
