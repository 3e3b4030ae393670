import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { settings as settingsCall } from '#common/business-unit/calls.ts'
import { home } from '#common/session/redirect.ts'
import { usersMe } from '#common/session/calls.ts'
import type { TripForm } from '#portal/funnel/store.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInAgain, signInTo, tokenOf } from './testing.ts'
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
  portal = await openPortal()
})
afterEach(async () => {
  portal.forgetSession()
  await portal.whenWritten()
  await browser.close()
})

/** Loads the session’s modules of the open page. */
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

/** Ends the session at the service only. The browser keeps its cookie. */
const endElsewhere = () => app.ask('/api/auth/session', { method: 'DELETE', headers: { cookie: cookieHeader() } })

/** Reloads the page in the same browser. */
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

test('a sign-in keeps the user in memory, and stores only the three hints', async () => {
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

test('a session is for the chosen unit, or for the first if that one is gone', async () => {
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

test('calls carry the token of the current unit', async () => {
  await signInTo('multi@portolan.example')
  const { user } = portal.useSession.getState()
  const [, second] = user?.businessUnits ?? []
  if (!user || !second) throw new Error('the demo has a user of two units')
  portal.setSession(user, second.uuid)
  let token: string | null = null
  browser.connection = (send, _path, { headers }) => {
    token = new Headers(headers).get('x-bunit-token')
    return send()
  }
  await portal.ask(usersMe, {})
  expect(token).toBe(second.token)
})

test('a page without a session does not start, and sends nothing', async () => {
  expect(await portal.start(home, '')).toBe(false)
  expect(browser.asked).toEqual([])
})

test('a reload keeps the chosen unit, with its own settings', async () => {
  await signInTo('multi@portolan.example')
  const { user } = portal.useSession.getState()
  const [, second] = user?.businessUnits ?? []
  if (!user || !second) throw new Error('the demo has a user of two units')
  portal.setSession(user, second.uuid)
  await reload()
  expect(await portal.start(home, '')).toBe(true)
  expect(portal.currentUnitOf(portal.useSession.getState())?.uuid).toBe(second.uuid)
  const { useSettings } = await import('#portal/business-unit/settings.ts')
  expect(useSettings.getState().settings).toEqual(await portal.ask(settingsCall, {}))
})

test('a page of a valid session starts again after a reload', async () => {
  await signInTo(agent)
  await reload()
  expect(portal.hasStarted()).toBe(false)
  expect(await portal.start(home, '')).toBe(true)
  expect(portal.useSession.getState().user?.email).toBe(agent)
  expect(portal.useProducts.getState().products).not.toEqual([])
})

test('the products survive a reload, before the service is asked', { tags: 'S4.2' }, async () => {
  await signInTo(agent)
  const { products } = portal.useProducts.getState()
  const key = portal.currentUnitOf(portal.useSession.getState())?.browserKey ?? ''
  await reload()
  expect(portal.useProducts.getState().products).toEqual([])
  await portal.openStores(key)
  expect([products.length > 0, portal.useProducts.getState().products]).toEqual([true, products])
})

test('an expired session leaves its encrypted texts to the same user', async () => {
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

/** Begins a sale, whose session then expires. Returns its trip. */
async function abandonSale(): Promise<TripForm> {
  const { openFunnel } = await import('#portal/funnel/testing.ts')
  await signInTo(agent)
  const funnel = await openFunnel()
  funnel.newSale(funnel.product)
  funnel.fill()
  await endElsewhere()
  await reload()
  return funnel.trip
}

test('an expired session leaves nothing to another user', async () => {
  await abandonSale()
  await portal.start(home, '')
  await signInTo('agent@rotta.example')
  const { useFunnel, emptyFunnel } = await import('#portal/funnel/store.ts')
  expect(useFunnel.getState()).toEqual(emptyFunnel)
  expect(kept()).not.toContain('portolan.funnel')
})

test('an expired session returns the sale to the same user', async () => {
  const trip = await abandonSale()
  const { useFunnel, emptyFunnel } = await import('#portal/funnel/store.ts')
  await portal.start(home, '')
  expect(useFunnel.getState()).toEqual(emptyFunnel)
  await signInTo(agent)
  expect(useFunnel.getState().trip).toEqual(trip)
})

test('another user who signs in over a valid session finds nothing of it', async () => {
  const { openFunnel } = await import('#portal/funnel/testing.ts')
  await signInTo(agent)
  const funnel = await openFunnel()
  funnel.newSale(funnel.product)
  await portal.whenWritten()
  expect(kept()).toEqual(expect.arrayContaining(['portolan.funnel', 'portolan.since']))
  await reload()
  await signInTo('agent@rotta.example')
  expect(portal.useSession.getState()).toMatchObject({ email: 'agent@rotta.example', user: { email: 'agent@rotta.example' } })
  // Without the stamp, no tab treats its own sale as one of this session.
  expect(kept().filter(key => key === 'portolan.funnel' || key === 'portolan.since')).toEqual([])
})

test('several calls after the session ended wait for one sign-in, then continue', async () => {
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

test('several calls after the session ended all fail without a new sign-in', async () => {
  await signInTo(agent)
  await endElsewhere()
  portal.whenSessionEnds(() => Promise.resolve(false))
  expect(await Promise.all([codeOf(portal.ask(usersMe, {})), codeOf(portal.ask(usersMe, {}))])).toEqual([401, 401])
})

test('the session check updates the user from the service’s response', async () => {
  await signInTo(agent)
  const { user } = portal.useSession.getState()
  if (!user) throw new Error('no user is signed in')
  portal.setSession({ ...user, name: 'Former Name' })
  await portal.checkSession()
  expect(portal.useSession.getState().user?.name).toBe(user.name)
})

test('a check whose response follows a sign-out does not restore the user', async () => {
  await signInTo(agent)
  const held = Promise.withResolvers<void>()
  browser.connection = async send => {
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

test('a sign-out ends the session, and leaves nothing in the browser', { tags: 'S4.14' }, async () => {
  await signInTo(agent)
  await portal.whenWritten()
  const cookie = cookieHeader()
  portal.signOut()
  expect([portal.isMarkedToEnd(), portal.useSigningOut.getState().since]).toEqual([true, 'later'])
  portal.forgetSession()
  expect(kept().filter(key => key !== 'portolan.followed-language')).toEqual([])
  expect(await portal.endMarkedSession()).toBe(true)
  expect(portal.isMarkedToEnd()).toBe(false)
  expect([...browser.cookies.keys()]).not.toContain('session')
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(401)
})

test('a sign-out leaves no notice on the screen, and no token for later calls', async () => {
  const { showToast, useToast } = await import('#portal/kit/overlay/notices.ts')
  await signInTo(agent)
  showToast({ summary: 'Sold to Ana' })
  portal.forgetSession()
  expect(JSON.stringify(useToast.getState())).not.toContain('Ana')
  let token: string | null = 'none yet'
  browser.connection = (send, _path, { headers }) => {
    token = new Headers(headers).get('x-bunit-token')
    return send()
  }
  await portal.ask(usersMe, {})
  expect(token).toBeNull()
})

test('a lost sign-out is logged, marked, and repeated until the session has ended', { tags: 'S2.12' }, async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  await signInTo(agent)
  const cookie = cookieHeader()
  browser.connection = () => Promise.reject(new TypeError('no connection'))
  portal.signOut()
  expect(await portal.endMarkedSession()).toBe(false)
  expect(warned.mock.calls.flat()).toEqual([expect.stringContaining('sign-out failed')])
  expect(portal.isMarkedToEnd()).toBe(true)
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(200)
  browser.connection = send => send()
  expect(await portal.endMarkedSession()).toBe(true)
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(401)
})

test('a sign-out whose response was lost succeeds at the next try', async () => {
  await signInTo(agent)
  browser.connection = async send => {
    await send()
    browser.connection = again => again()
    throw new TypeError('the reply is lost')
  }
  portal.signOut()
  expect(await portal.endMarkedSession()).toBe(true)
  expect(portal.isMarkedToEnd()).toBe(false)
})

test('a sign-out of an unknown session succeeds', async () => {
  await signInTo(agent)
  await endElsewhere()
  portal.signOut()
  expect(await portal.endMarkedSession()).toBe(true)
  expect(portal.isMarkedToEnd()).toBe(false)
})

test('a sign-out without a mark ends nothing', async () => {
  await signInTo(agent)
  const before = browser.asked.length
  expect(await portal.endMarkedSession()).toBe(true)
  expect(browser.asked).toHaveLength(before)
})

test('a mark survives a reload, and the page shows only the sign-out', async () => {
  await signInTo(agent)
  portal.signOut()
  await reload()
  expect(portal.useSigningOut.getState().since).toBe('before')
  expect(portal.showSigningOut()).toBe(true)
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

test('a mark that another tab sets while a session begins does not end that session', async () => {
  const token = await tokenOf(agent)
  browser.connection = (send, path) => {
    if (path === '/api/auth/session') browser.cookies.set(portal.leavingMark, { value: '1', httpOnly: false })
    return send()
  }
  await portal.exchangeToken(token)
  expect(portal.isMarkedToEnd()).toBe(false)
})

test('no new session begins while the marked one cannot be ended', async () => {
  await signInTo(agent)
  portal.signOut()
  const token = await tokenOf(agent)
  browser.connection = (send, path, { method }) => (method === 'DELETE' ? Promise.reject(new TypeError('no connection')) : send())
  await expect(portal.exchangeToken(token)).rejects.toBeInstanceOf(portal.Unreachable)
  expect(portal.isMarkedToEnd()).toBe(true)
})

test('a sign-out stops waiting for a tab with the lock, and ends once that releases it', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  await signInTo(agent)
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = navigator.locks.request('portolan.cookie', () => {
    held.resolve()
    return release.promise
  })
  await held.promise
  portal.signOut()
  const waiting = new AbortController()
  const ended = portal.endMarkedSession(waiting.signal)
  waiting.abort()
  expect(await ended).toBe(false)
  expect(portal.isMarkedToEnd()).toBe(true)
  release.resolve()
  await holding
  expect(await portal.endMarkedSession()).toBe(true)
})

test('a foreign cookie similar to the mark of a sign-out ends no session', async () => {
  await signInTo(agent)
  for (const [name, value] of Object.entries({ 'not-leaving': '1', consent: 'leaving=1' }))
    browser.cookies.set(name, { value, httpOnly: false })
  expect(portal.isMarkedToEnd()).toBe(false)
  expect(await portal.endMarkedSession()).toBe(true)
  expect((await portal.ask(usersMe, {})).email).toBe(agent)
})

test('a token opens one session only', async () => {
  const token = await tokenOf(agent)
  await portal.exchangeToken(token)
  expect(await codeOf(portal.exchangeToken(token))).toBe(401)
})

test('a tab that signs in waits for the tab that is still ending the previous session', async () => {
  await signInTo(agent)
  const token = await tokenOf(agent)
  portal.signOut()
  const held = Promise.withResolvers<void>()
  const asked: string[] = []
  browser.connection = async (send, path, { method }) => {
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

test('a session that ended while another tab shows its page forgets nothing', async () => {
  await signInTo(agent)
  await portal.whenWritten()
  const before = kept()
  await endElsewhere()
  const tab = browser.anotherTab()
  const there = await tab.run(openPortal)
  expect(await tab.run(there.isShownInOtherTab)).toBe(true)
  expect(await portal.isShownInOtherTab()).toBe(false)
  const hints = browser.localStorage.getItem('portolan.session')
  expect(await tab.run(() => there.start(home, ''))).toBe(false)
  expect(kept()).toEqual(before)
  expect(browser.localStorage.getItem('portolan.session')).toBe(hints)
  portal.forgetSession()
  await expect.poll(() => tab.run(there.isShownInOtherTab)).toBe(false)
})

test('a sign-out in one tab removes the session from the other tab too', async () => {
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
