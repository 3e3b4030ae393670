import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { home } from '#common/session/redirect.ts'
import { login, usersMe } from '#common/session/calls.ts'
import { type Browser, openBrowser, signInAgain, signInTo } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoPassword } from '#server/session/testing.ts'

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
  portal = await openPortal()
})
afterEach(async () => {
  portal.forgetSession()
  await portal.whenWritten()
  await browser.close()
})

/** Loads the modules of the session as the page that is open has them. */
async function openPortal() {
  const [session, open, out, start, asking, stores, sealed, drafts] = await Promise.all([
    import('./session.ts'),
    import('./open.ts'),
    import('./sign-out.ts'),
    import('#portal/shell/start.ts'),
    import('#portal/kit/ask.ts'),
    import('#portal/kit/stores.ts'),
    import('#portal/kit/kept/encrypted-storage.ts'),
    import('#portal/products/store.ts'),
  ])
  return { ...session, ...open, ...out, ...start, ...asking, ...stores, ...sealed, ...drafts }
}

const cookieHeader = () => [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')

/** Ends the session at the service without this browser's doing: the cookie stays. */
const endElsewhere = () => app.ask('/api/auth/session', { method: 'DELETE', headers: { cookie: cookieHeader() } })

/** Returns the one-time token that a sign-in leads back with. */
async function tokenOf(email: string): Promise<string> {
  const { callback } = await portal.ask(login, { email, password: demoPassword })
  return new URL(callback, 'http://portal.example').searchParams.get('token') ?? ''
}

/** Loads the page anew over the same browser. */
async function reload(): Promise<void> {
  await portal.whenWritten()
  await browser.reload()
  portal = await openPortal()
}

const kept = () =>
  Object.keys(browser.localStorage)
    .filter(key => key.startsWith('portolan.'))
    .sort()
const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 200,
    (error: unknown) => (error instanceof portal.Refused ? error.failure.code : error),
  )

test('a sign-in holds the user in memory, and writes down only the three hints', async () => {
  await signInTo(agent)
  const { user, unitUuid, email, loggedIn } = portal.useSession.getState()
  expect(user).toMatchObject({ email: agent })
  expect(JSON.parse(browser.localStorage.getItem('portolan.session') ?? '')).toMatchObject({ state: { email, loggedIn, unitUuid } })
  expect(Object.keys(JSON.parse(browser.localStorage.getItem('portolan.session') ?? '').state).sort()).toEqual([
    'email',
    'loggedIn',
    'unitUuid',
  ])
})

test('a session is for the chosen unit, and for the first where that one is gone', async () => {
  await signInTo('multi@portolan.example')
  const { user } = portal.useSession.getState()
  const [first, second] = user?.businessUnits ?? []
  if (!user || !first || !second) throw new Error('the demo has a user of two units')
  portal.setSession(user, second.uuid)
  expect(portal.currentUnitOf(portal.useSession.getState())).toBe(second)
  portal.setSession(user, 'gone')
  expect(portal.currentUnitOf(portal.useSession.getState())).toBe(first)
  expect(portal.useSession.getState().unitUuid).toBe(first.uuid)
})

test('a page without a session does not start, and asks nothing', async () => {
  expect(await portal.start(home, '')).toBe(false)
  expect(browser.asked).toEqual([])
})

test('a page of a session that is alive begins again after a reload', async () => {
  await signInTo(agent)
  await reload()
  expect(portal.hasStarted()).toBe(false)
  expect(await portal.start(home, '')).toBe(true)
  expect(portal.useSession.getState().user?.email).toBe(agent)
  expect(portal.useProducts.getState().products).not.toEqual([])
})

test('a session that ended by itself leaves what was sealed to the same user', async () => {
  await signInTo(agent)
  await portal.whenWritten()
  const note = browser.localStorage.getItem('portolan.products')
  expect(note).toMatch(/^sealed /)
  await endElsewhere()
  await reload()
  expect(await portal.start(home, '')).toBe(false)
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, email: '', user: undefined, unitUuid: expect.any(String) })
  expect(browser.localStorage.getItem('portolan.products')).toBe(note)
})

test('a session that ended by itself leaves nothing to another user', async () => {
  const { openFunnel } = await import('#portal/funnel/testing.ts')
  await signInTo(agent)
  const funnel = await openFunnel()
  funnel.newSale(funnel.product)
  funnel.fill()
  await endElsewhere()
  await reload()
  await portal.start(home, '')
  await signInTo('agent@rotta.example')
  const { useFunnel, emptyFunnel } = await import('#portal/funnel/store.ts')
  expect(useFunnel.getState()).toEqual(emptyFunnel)
  expect(kept()).not.toContain('portolan.funnel')
})

test('a session that ended by itself gives the same user the sale back', async () => {
  const { openFunnel } = await import('#portal/funnel/testing.ts')
  await signInTo(agent)
  const funnel = await openFunnel()
  funnel.newSale(funnel.product)
  funnel.fill()
  await endElsewhere()
  await reload()
  const { useFunnel, emptyFunnel } = await import('#portal/funnel/store.ts')
  await portal.start(home, '')
  expect(useFunnel.getState()).toEqual(emptyFunnel)
  await signInTo(agent)
  expect(useFunnel.getState().trip).toEqual(funnel.trip)
})

test('another user who signs in over a session that is alive finds nothing of it', async () => {
  await signInTo(agent)
  await reload()
  await signInTo('agent@rotta.example')
  expect(portal.useSession.getState()).toMatchObject({ email: 'agent@rotta.example', user: { email: 'agent@rotta.example' } })
})

test('several calls that find the session ended wait for one sign-in, and then go on', async () => {
  await signInTo(agent)
  await endElsewhere()
  const signedIn = Promise.withResolvers<boolean>()
  let prompts = 0
  portal.whenSessionEnds(() => {
    prompts += 1
    return signedIn.promise
  })
  const calls = [portal.ask(usersMe, {}), portal.ask(usersMe, {})]
  await signInAgain(agent)
  signedIn.resolve(true)
  expect((await Promise.all(calls)).map(({ email }) => email)).toEqual([agent, agent])
  expect(prompts).toBeLessThanOrEqual(2)
  expect(prompts).toBeGreaterThan(0)
})

test('several calls that find the session ended all fail without a new sign-in', async () => {
  await signInTo(agent)
  await endElsewhere()
  portal.whenSessionEnds(() => Promise.resolve(false))
  expect(await Promise.all([codeOf(portal.ask(usersMe, {})), codeOf(portal.ask(usersMe, {}))])).toEqual([401, 401])
})

test('the check of the session takes over what the service says of the user', async () => {
  await signInTo(agent)
  const { user } = portal.useSession.getState()
  if (!user) throw new Error('no user is signed in')
  portal.setSession({ ...user, name: 'Former Name' })
  await portal.checkSession()
  expect(portal.useSession.getState().user?.name).toBe(user.name)
})

test('a check that is answered after a sign-out does not bring the user back', async () => {
  await signInTo(agent)
  const held = Promise.withResolvers<void>()
  browser.line = async send => {
    const reply = await send()
    await held.promise
    return reply
  }
  const check = portal.checkSession()
  portal.forgetSession()
  held.resolve()
  await check
  expect(portal.useSession.getState()).toMatchObject({ loggedIn: false, user: undefined })
})

test('a sign-out ends the session at the service, and leaves nothing in the browser', async () => {
  await signInTo(agent)
  await portal.whenWritten()
  const cookie = cookieHeader()
  portal.signOut()
  expect([portal.isMarkedToEnd(), portal.useSigningOut.getState().since]).toEqual([true, 'later'])
  portal.forgetSession()
  expect(kept().filter(key => key !== 'portolan.followed-language')).toEqual([])
  expect(await portal.endMarkedSession()).toBe(true)
  expect(portal.isMarkedToEnd()).toBe(false)
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(401)
})

test('a lost sign-out keeps its mark, and is repeated until the session has ended', async () => {
  await signInTo(agent)
  const cookie = cookieHeader()
  browser.line = () => Promise.reject(new TypeError('the line is dead'))
  portal.signOut()
  expect(await portal.endMarkedSession()).toBe(false)
  expect(portal.isMarkedToEnd()).toBe(true)
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(200)
  browser.line = send => send()
  expect(await portal.endMarkedSession()).toBe(true)
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(401)
})

test('a sign-out whose reply was lost is over at the next try', async () => {
  await signInTo(agent)
  browser.line = async send => {
    await send()
    browser.line = again => again()
    throw new TypeError('the reply is lost')
  }
  portal.signOut()
  expect(await portal.endMarkedSession()).toBe(true)
  expect(portal.isMarkedToEnd()).toBe(false)
})

test('a sign-out of a session that the service knows no more is over', async () => {
  await signInTo(agent)
  await endElsewhere()
  portal.signOut()
  expect(await portal.endMarkedSession()).toBe(true)
  expect(portal.isMarkedToEnd()).toBe(false)
})

test('a sign-out that was never asked for ends nothing', async () => {
  await signInTo(agent)
  const before = browser.asked.length
  expect(await portal.endMarkedSession()).toBe(true)
  expect(browser.asked).toHaveLength(before)
})

test('a mark outlives a reload, and the page then shows nothing but the leaving', async () => {
  await signInTo(agent)
  portal.signOut()
  await reload()
  expect(portal.useSigningOut.getState().since).toBe('before')
})

test('a tab notices the mark that another tab set', async () => {
  await signInTo(agent)
  expect(portal.showSigningOut()).toBe(false)
  browser.cookies.set(portal.leavingMark, { value: '1', httpOnly: false })
  expect(portal.showSigningOut()).toBe(true)
  expect(portal.useSigningOut.getState().since).toBe('later')
})

test('a new session begins only after the marked one has ended, and is not marked', async () => {
  await signInTo(agent)
  const cookie = cookieHeader()
  portal.signOut()
  const token = await tokenOf(agent)
  const { user } = await portal.exchangeToken(token)
  expect(user.email).toBe(agent)
  expect(portal.isMarkedToEnd()).toBe(false)
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(401)
  expect((await portal.ask(usersMe, {})).email).toBe(agent)
})

test('no new session begins while the marked one cannot be ended', async () => {
  await signInTo(agent)
  portal.signOut()
  const token = await tokenOf(agent)
  browser.line = (send, path, { method }) => (method === 'DELETE' ? Promise.reject(new TypeError('the line is dead')) : send())
  await expect(portal.exchangeToken(token)).rejects.toBeInstanceOf(portal.Unreachable)
  expect(portal.isMarkedToEnd()).toBe(true)
})

test('a token opens one session only', async () => {
  const token = await tokenOf(agent)
  await portal.exchangeToken(token)
  expect(await codeOf(portal.exchangeToken(token))).toBe(401)
})

test('a tab that signs in waits for the tab that is still ending the session before', async () => {
  await signInTo(agent)
  const token = await tokenOf(agent)
  portal.signOut()
  const held = Promise.withResolvers<void>()
  const asked: string[] = []
  browser.line = async (send, path, { method }) => {
    asked.push(`${method} ${path}`)
    if (method === 'DELETE') await held.promise
    return send()
  }
  const ending = portal.endMarkedSession()
  const tab = browser.anotherTab()
  const there = await tab.run(openPortal)
  const signingIn = tab.run(() => there.exchangeToken(token))
  held.resolve()
  expect(await ending).toBe(true)
  expect((await signingIn).user.email).toBe(agent)
  expect(asked).toEqual(['DELETE /api/auth/session', 'POST /api/auth/session'])
})

test('a session that ended while another tab shows a page of it forgets nothing', async () => {
  await signInTo(agent)
  await portal.whenWritten()
  const before = kept()
  await endElsewhere()
  const tab = browser.anotherTab()
  const there = await tab.run(openPortal)
  expect(await tab.run(there.isShownInOtherTab)).toBe(true)
  expect(await portal.isShownInOtherTab()).toBe(false)
  expect(await tab.run(() => there.start(home, ''))).toBe(false)
  expect(kept()).toEqual(before)
  portal.forgetSession()
  await expect.poll(() => tab.run(there.isShownInOtherTab)).toBe(false)
})

test('a sign-out in one tab makes the other tab forget the session too', async () => {
  await signInTo(agent)
  const tab = browser.anotherTab()
  const there = await tab.run(async () => {
    const opened = await openPortal()
    opened.followOtherTabs(key => key === 'portolan.session' && opened.forgetSession())
    opened.restart(true)
    await opened.start(home, '')
    return opened
  })
  expect(there.useSession.getState().user?.email).toBe(agent)
  portal.forgetSession()
  expect(there.useSession.getState()).toMatchObject({ loggedIn: false, user: undefined })
})
