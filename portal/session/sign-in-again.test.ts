import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { usersMe } from '#common/session/calls.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signInAgain, signInTo } from './testing.ts'

const agent = 'agent@azahar.example'
const other = 'agent@rotta.example'

let app: TestApp
let browser: Browser
let page: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo(agent)
  page = await openPage()
})
afterEach(async () => {
  page.whenSessionEnds(undefined)
  page.forgetSession()
  await browser.close()
})

/** Opens a page behind the sign-in, with the state of the dialog and the user's possible actions. */
async function openPage() {
  const [{ openEndedSession }, { ask, Refused, whenSessionEnds }, { useSession }, { forgetSession }] = await Promise.all([
    import('./sign-in-again.tsx'),
    import('#portal/kit/ask.ts'),
    import('./session.ts'),
    import('./sign-out.ts'),
  ])
  const state: { isShown: boolean; steps: string[] } = { isShown: false, steps: [] }
  const dialog = openEndedSession(
    isEnded => {
      state.isShown = isEnded
      state.steps.push(isEnded ? 'shown' : 'hidden')
    },
    async () => {
      state.steps.push('left')
      forgetSession()
    },
  )
  whenSessionEnds(dialog.end)
  return { ask, Refused, whenSessionEnds, useSession, forgetSession, ...dialog, state }
}

/** Ends the session at the service. The browser keeps the cookie. */
async function endSession(): Promise<void> {
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  await app.ask('/api/auth/session', { method: 'DELETE', headers: { cookie } })
}

/** Sends a call, and returns the user whom the service sees, or the code of the refusal. */
const whoAmI = () =>
  page.ask(usersMe, {}).then(
    ({ email }) => email,
    (error: unknown) => (error instanceof page.Refused ? error.failure.code : error),
  )

const shown = () => expect.poll(() => page.state.isShown).toBe(true)

/** Signs in over the page, as the dialog does. */
async function signIn(email: string): Promise<void> {
  await signInAgain(email)
  const { user } = page.useSession.getState()
  if (user) await page.resume(user)
}

test('a valid session shows no dialog', async () => {
  expect(await whoAmI()).toBe(agent)
  expect(page.state.steps).toEqual([])
})

test('the same user signs in again over the page, and the call continues', async () => {
  await endSession()
  const call = whoAmI()
  await shown()
  await signIn(agent)
  expect(await call).toBe(agent)
  expect(page.state.steps).toEqual(['shown', 'hidden'])
  expect(browser.tab.window.left).toEqual([])
})

test('every waiting call continues after one sign-in', async () => {
  await endSession()
  const answers = [page.end(), page.end()]
  await signIn(agent)
  expect(await Promise.all(answers)).toEqual([true, true])
  expect(page.state.isShown).toBe(false)
})

test('a user who gives up leaves, and the waiting calls fail', async () => {
  await endSession()
  const call = whoAmI()
  await shown()
  await page.giveUp()
  expect(await call).toBe(401)
  expect(page.state.steps).toEqual(['shown', 'hidden', 'left'])
  expect(browser.tab.window.left).toEqual([])
})

test('another user who signs in gets a fresh page, and no waiting call is sent', async () => {
  await endSession()
  const call = whoAmI()
  await shown()
  await signIn(other)
  expect(await call).toBe(401)
  expect(page.state.steps).toEqual(['shown', 'hidden', 'left'])
  expect(page.useSession.getState().user).toBeUndefined()
  expect(browser.tab.window.left).toEqual(['/'])
})

test('another user is still recognised if a second call finds the session ended', async () => {
  await endSession()
  const first = page.end()
  await signInAgain(other)
  const second = page.end()
  const { user } = page.useSession.getState()
  if (!user) throw new Error('no user is signed in')
  await page.resume(user)
  expect(await Promise.all([first, second])).toEqual([false, false])
  expect(browser.tab.window.left).toEqual(['/'])
})

test('a session that ends a second time shows the dialog again', async () => {
  await endSession()
  const first = whoAmI()
  await shown()
  await signIn(agent)
  await first
  await endSession()
  const second = whoAmI()
  await shown()
  await signIn(agent)
  expect(await second).toBe(agent)
  expect(page.state.steps).toEqual(['shown', 'hidden', 'shown', 'hidden'])
})

test('a reply to one dialog does not count for the next', async () => {
  const first = page.end()
  await signIn(agent)
  const second = page.end()
  await page.giveUp()
  expect(await Promise.all([first, second])).toEqual([true, false])
})

test('users of an external host leave for its sign-in, which returns to the same URL', { tags: 'S8.4' }, async () => {
  browser.tab.window.elements.set('meta[name=portolan-sign-in]', {})
  Object.assign(browser.tab.window.location, { pathname: '/policies', search: '?page=2' })
  void page.end()
  expect(browser.tab.window.left).toEqual(['/api/auth/start?redirect=%2Fpolicies%3Fpage%3D2'])
  expect(page.state.steps).toEqual([])
})
