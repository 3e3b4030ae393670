import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { testConfig, testDatabase } from '#server/kit/testing.ts'
import { accessibilityOf, enter, fill, inDays, keptAt, openPortal, type Portal, type User } from './browser.ts'

// What a browser keeps of a session, read as a thief would read it; and a session that cannot be ended at once.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
const iban = 'ES9121000418450200051332'
const typed = /Zacar|12345678Z|zacarias@|612345678|Calle Mayor|ES91|operaci/i

/** Every store that a page of the browser has, as it lies there. */
const readAll = `(async () => {
  const found = [...Object.entries(localStorage), ...Object.entries(sessionStorage), ['cookie', document.cookie]]
  for (const { name } of await indexedDB.databases()) found.push(['indexedDB', name])
  for (const name of await caches.keys()) found.push(['cache', name])
  return JSON.stringify(found)
})()`

/** Without the portal's scripts: they must not be given the time to tidy up. */
async function lyingIn(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto('/favicon.svg')
  const found = await page.evaluate<string>(readAll)
  await page.close()
  return found
}

const sessionsOf = (email: string) =>
  portal.app.world.database.kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.ended_at')
    .where('users.email', '=', email)
    .orderBy('sessions.id', 'desc')
    .execute()

async function endAtService(): Promise<void> {
  await portal.app.world.database.kysely.updateTable('sessions').set({ ended_at: new Date() }).where('ended_at', 'is', null).execute()
}

async function typePeople({ page }: User): Promise<void> {
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.getByText(words()('funnel.confirmed')).waitFor()
  await page.getByRole('button', { name: words()('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  await fill(page, { name: 'Zacarías', documentNumber: '12345678Z', address: 'Calle Mayor 1', email: 'zacarias@example.com' })
  await fill(page, { phoneNumber: '612345678' })
  await page.keyboard.press('Tab')
}

async function typeClaim({ page }: User): Promise<void> {
  await page.goto('/claim?write=new')
  await page.getByRole('radio', { name: /Regreso anticipado/ }).check()
  await fill(page, { description: 'Una operación urgente', 'answers.bankAccount': iban })
  await page.keyboard.press('Tab')
}

describe('what was typed and lies in the browser', () => {
  test('cannot be read from its storage, in a living session or after it; only the same user gets it back', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    await enter(user, 'agent@azahar.example', '/funnel')
    const context = user.page.context()
    await typePeople(user)
    await typeClaim(user)
    await expect.poll(() => keptAt(user.page, 'funnel')).toContain('612345678')
    await expect.poll(() => keptAt(user.page, 'tickets')).toContain(iban)
    const shown = await user.page.evaluate<string>(readAll)
    expect(shown).toContain('portolan.funnel')
    expect(shown).not.toMatch(typed)

    // The tab is closed, and the session lives on.
    const stays = await context.newPage()
    await user.page.close()
    expect(await lyingIn(context)).not.toMatch(typed)
    const isThere = async (page: Page) => {
      await page.goto('/funnel?step=2')
      expect(await page.locator('[name=name]').inputValue()).toBe('Zacarías')
      await page.goto('/claim?write=new')
      expect(await page.locator('[name="answers.bankAccount"]').inputValue()).toBe(iban)
    }
    await isThere(stays)

    await endAtService()
    await stays.reload()
    await stays.waitForURL(/sign-in/)
    await stays.locator('[name=email]').waitFor()
    const left = await lyingIn(context)
    expect(left).toContain('portolan.funnel')
    expect(left).not.toMatch(typed)
    expect(left).not.toContain('agent@')
    await enter({ ...user, page: stays }, 'agent@azahar.example')
    await isThere(stays)

    // Another of the same agency, at the same browser.
    await endAtService()
    await stays.reload()
    await stays.waitForURL(/sign-in/)
    await enter({ ...user, page: stays }, 'manager@azahar.example', '/funnel')
    expect(await stays.locator('[name=startDate]').inputValue()).toBe('')
    expect(await keptAt(stays, 'funnel')).not.toMatch(typed)
    expect(await keptAt(stays, 'tickets')).toBe('')
    expect(user.complaints).toEqual([])
    await user.stop()
  })

  test('of an earlier version, which sealed nothing, is removed', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await page.goto('/favicon.svg')
    await page.evaluate(`localStorage.setItem('portolan.tickets', JSON.stringify({ version: 1, state: { claim: '${iban}' } }))`)
    await enter(user, 'agent@azahar.example')
    expect(await lyingIn(page.context())).not.toMatch(typed)
    await user.stop()
  })
})

describe('signing out where the call is lost', () => {
  const isEnd = (url: URL) => url.pathname === '/api/auth/session'
  const leave = ({ page }: User) => page.getByRole('button', { name: words()('session.sign_out') }).click()
  const notLeft = (page: Page) => page.getByRole('heading', { level: 1, name: words()('session.not_left.title') })
  const signInForm = (page: Page) => page.getByRole('heading', { level: 1, name: words()('session.sign_in.title') })
  /** Of whatever the browser asks for in somebody's name. */
  const askedBy = (page: Page): string[] => {
    const asked: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/|_payload\.json$/.test(pathname)) asked.push(`${request.method()} ${pathname}`)
    })
    return asked
  }

  test('it is said in every tab, repeated before anything else, and never reaches the next session', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    const context = page.context()
    await enter(user, 'agent@azahar.example')
    const other = await context.newPage()
    await other.goto('/policies')
    await other.locator('#main h1').waitFor()
    await context.route(isEnd, route => route.abort('connectionfailed'))
    await leave(user)
    await Promise.all([notLeft(page).waitFor(), notLeft(other).waitFor()])
    expect((await context.cookies()).map(({ name }) => name).toSorted()).toEqual(['i18n_redirected', 'leaving', 'session'])
    expect(await lyingIn(context)).not.toContain('portolan.session')

    const later = await context.newPage()
    const asked = askedBy(later)
    const reply = await later.goto('/products')
    expect(await reply?.text()).not.toMatch(/_payload|portolan-session/)
    await notLeft(later).waitFor()
    expect([...new Set(asked)]).toEqual(['DELETE /api/auth/session'])

    await context.unroute(isEnd)
    await later.getByRole('button', { name: words()('shell.try_again') }).click()
    await Promise.all([page, other, later].map(tab => signInForm(tab).waitFor()))
    expect((await sessionsOf('agent@azahar.example'))[0]?.ended_at).not.toBeNull()
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['i18n_redirected'])

    await enter(user, 'agent@rotta.example')
    await page.reload()
    await page.locator('#main h1').waitFor()
    expect((await sessionsOf('agent@rotta.example'))[0]?.ended_at).toBeNull()
    await user.stop()
  })

  test('in a tab that was closed over it: the next page ends it first, also where the service says no for a while, and keeps its address', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    const context = page.context()
    await enter(user, 'viewer@azahar.example')
    const next = await context.newPage()
    await context.route(isEnd, route => route.abort('connectionfailed'))
    const lost = page.waitForEvent('requestfailed', request => request.method() === 'DELETE')
    await leave(user)
    await lost
    await page.close()
    expect((await sessionsOf('viewer@azahar.example'))[0]?.ended_at).toBeNull()
    await context.unroute(isEnd)
    await context.route(isEnd, route => route.fulfill({ status: 500, json: { code: 500, error: 'internal', errorMessage: '' } }))
    const asked = askedBy(next)
    await next.goto('/policies')
    await notLeft(next).waitFor()
    await context.unroute(isEnd)
    await next.getByRole('button', { name: words()('shell.try_again') }).click()
    await next.waitForURL(/\/auth\/sign-in\?redirect=/)
    await signInForm(next).waitFor()
    expect([...new Set(asked)]).toEqual(['DELETE /api/auth/session'])
    expect((await sessionsOf('viewer@azahar.example'))[0]?.ended_at).not.toBeNull()
    await user.stop()
  })

  test('one that the service knows no more is believed to have ended', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    await enter(user, 'agent@azahar.example')
    await endAtService()
    await leave(user)
    await signInForm(user.page).waitFor()
    expect((await user.page.context().cookies()).map(({ name }) => name)).not.toContain('leaving')
    await user.stop()
  })

  test('whoever signs in at a form that stood open ends the one before, and not the new one', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await enter(user, 'agent@azahar.example')
    await page.goto('/auth/sign-in')
    await fill(page, { email: 'agent@rotta.example', password: 'portolan-demo' })
    await page.context().addCookies([{ name: 'leaving', value: '1', url: portal.origin }])
    await page.keyboard.press('Enter')
    await page.locator('#main h1').waitFor()
    await page.reload()
    await page.locator('#main h1').waitFor()
    expect((await sessionsOf('agent@azahar.example')).filter(({ ended_at }) => ended_at === null)).toEqual([])
    expect((await sessionsOf('agent@rotta.example'))[0]?.ended_at).toBeNull()
    await user.stop()
  })

  test('the page goes at once, while the service or another tab gives no answer', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    const context = page.context()
    await enter(user, 'agent@azahar.example')
    const answered = Promise.withResolvers<void>()
    await context.route(isEnd, async route => {
      await answered.promise
      await route.continue()
    })
    const asked = askedBy(page)
    const sent = page.waitForRequest(request => request.method() === 'DELETE')
    await leave(user)
    const leaving = page.getByRole('alert').filter({ hasText: words()('session.leaving') })
    await Promise.all([leaving.waitFor(), sent])
    // No call has been given up before it is said.
    expect(asked.filter(one => one.startsWith('DELETE'))).toHaveLength(1)
    expect(await page.locator('#main').count()).toBe(0)
    expect(await accessibilityOf(page)).toEqual([])
    expect(await lyingIn(context)).not.toContain('portolan.session')
    answered.resolve()
    await signInForm(page).waitFor()
    await context.unroute(isEnd)

    await enter(user, 'agent@azahar.example')
    const holding = await context.newPage()
    await holding.goto('/favicon.svg')
    await holding.evaluate(`new Promise(held => void navigator.locks.request('portolan.cookie', () => (held(), new Promise(() => {}))))`)
    await leave(user)
    await notLeft(page).waitFor()
    await holding.close()
    await signInForm(page).waitFor()
    expect((await sessionsOf('agent@azahar.example'))[0]?.ended_at).not.toBeNull()
    await user.stop()
  })
})

describe('a cookie of another host', () => {
  test('whose name or value looks like the mark ends no session', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    const url = portal.origin
    await enter(user, 'agent@azahar.example')
    const foreign = { 'not-leaving': '1', consent: 'leaving=1' }
    await page.context().addCookies(Object.entries(foreign).map(([name, value]) => ({ name, value, url })))
    await page.reload()
    await page.locator('#main h1').waitFor()
    expect((await sessionsOf('agent@azahar.example'))[0]?.ended_at).toBeNull()
    await user.stop()
  })

  test('is no mark to the service over https, where it can have the plain name', async () => {
    const app = await openApp(testConfig({ PUBLIC_URL: 'https://portal.example' }), await testDatabase())
    const shown = async (cookie: string) => (await app.front.http.inject({ url: '/products', headers: { cookie } })).body
    expect(await shown('__Host-session=x; leaving=1')).toContain('portolan-session')
    expect(await shown('__Host-session=x; __Host-leaving=1')).not.toContain('portolan-session')
    await app.stop()
  })
})
