import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { testConfig, testDatabase } from '#server/kit/testing.ts'
import { accessibilityOf, enter, fill, inDays, openPortal, type Portal, storedAt, toPeople, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Session data left in the browser, as a thief would read it; and sign-outs that do not reach the server at once.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
const iban = 'ES9121000418450200051332'
const typed = /Zacar|12345678Z|zacarias@|612345678|Calle Mayor|ES912100|operaci/i

/** Returns the raw content of every kind of browser storage. */
const readStorage = `(async () => {
  const found = [...Object.entries(localStorage), ...Object.entries(sessionStorage), ['cookie', document.cookie]]
  for (const { name } of await indexedDB.databases()) found.push(['indexedDB', name])
  for (const name of await caches.keys()) found.push(['cache', name])
  return JSON.stringify(found)
})()`

/** Reads from a page without the portal's scripts, because they could clean up first. */
async function storageOf(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto('/favicon.svg')
  const found = await page.evaluate<string>(readStorage)
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

async function endSessionsOnServer(): Promise<void> {
  await portal.app.world.database.kysely.updateTable('sessions').set({ ended_at: new Date() }).where('ended_at', 'is', null).execute()
}

async function typePeople({ page }: User): Promise<void> {
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await toPeople(page)
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

describe('input stored in the browser', () => {
  test('stored input is unreadable and is restored for the same user only', async () => {
    const user = await portal.newUser({ chosen: 'es-ES', own: true })
    await enter(user, 'agent@azahar.example', '/funnel')
    const context = user.page.context()
    await typePeople(user)
    await typeClaim(user)
    await expect.poll(() => storedAt(user.page, 'funnel')).toContain('612345678')
    await expect.poll(() => storedAt(user.page, 'tickets')).toContain(iban)
    const shown = await user.page.evaluate<string>(readStorage)
    expect(shown).toContain('portolan.funnel')
    expect(shown).not.toMatch(typed)

    // The tab is closed, and the session ends.
    const stays = await context.newPage()
    await user.page.close()
    await endSessionsOnServer()
    await stays.goto('/policies')
    await stays.waitForURL(/sign-in/)
    await stays.locator('[name=email]').waitFor()
    const left = await storageOf(context)
    expect(left).toContain('portolan.funnel')
    expect(left).not.toMatch(typed)
    expect(left).not.toContain('agent@')
    await enter({ ...user, page: stays }, 'agent@azahar.example', '/funnel?step=2')
    await expectPage(stays.locator('[name=name]')).toHaveValue('Zacarías')
    await stays.goto('/claim?write=new')
    await expectPage(stays.locator('[name="answers.bankAccount"]')).toHaveValue(iban)

    // Another user of the same agency, in the same browser.
    await endSessionsOnServer()
    await enter({ ...user, page: stays }, 'manager@azahar.example', '/funnel')
    await expectPage(stays.locator('[name=startDate]')).toHaveValue('')
    expect(await storedAt(stays, 'funnel')).not.toMatch(typed)
    expect(await storedAt(stays, 'tickets')).toBe('')
    expect(user.problems).toEqual([])
    await user.stop()
  })
})

describe('signing out when the request fails', () => {
  const isEnd = (url: URL) => url.pathname === '/api/auth/session'
  const leave = ({ page }: User) => page.getByRole('button', { name: words()('session.sign_out') }).click()
  const notLeft = (page: Page) => page.getByRole('heading', { level: 1, name: words()('session.not_left.title') })
  const signInForm = (page: Page) => page.getByRole('heading', { level: 1, name: words()('session.sign_in.title') })
  /** Collects the requests that carry the session. */
  const sessionRequestsOf = (page: Page): string[] => {
    const requests: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/|_payload\.json$/.test(pathname)) requests.push(`${request.method()} ${pathname}`)
    })
    return requests
  }

  test('a failed sign-out shows in every tab and is retried; a new page keeps its URL', async () => {
    const user = await portal.newUser({ chosen: 'es-ES', own: true })
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
    expect(await storageOf(context)).not.toContain('portolan.session')

    const later = await context.newPage()
    const requests = sessionRequestsOf(later)
    const reply = await later.goto('/claim')
    expect(await reply?.text()).not.toMatch(/_payload|portolan-session/)
    await notLeft(later).waitFor()
    expect([...new Set(requests)]).toEqual(['DELETE /api/auth/session'])

    await context.unroute(isEnd)
    await later.getByRole('button', { name: words()('shell.try_again') }).click()
    await Promise.all([page, other, later].map(tab => signInForm(tab).waitFor()))
    await later.waitForURL(/\/auth\/sign-in\?redirect=/)
    expect((await sessionsOf('agent@azahar.example'))[0]?.ended_at).not.toBeNull()
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['i18n_redirected'])
    await user.stop()
  })

  test('signing out hides the page at once, before the server responds', async () => {
    const user = await portal.newUser({ chosen: 'es-ES', own: true })
    const { page } = user
    const context = page.context()
    await enter(user, 'agent@azahar.example')
    const answered = Promise.withResolvers<void>()
    await context.route(isEnd, async route => {
      await answered.promise
      await route.continue()
    })
    const requests = sessionRequestsOf(page)
    const sent = page.waitForRequest(request => request.method() === 'DELETE')
    await leave(user)
    const leaving = page.getByRole('alert').filter({ hasText: words()('session.leaving') })
    await Promise.all([leaving.waitFor(), sent])
    // The message is shown before the request has failed or been repeated.
    expect(requests.filter(one => one.startsWith('DELETE'))).toHaveLength(1)
    await expectPage(page.locator('#main')).toHaveCount(0)
    expect(await accessibilityOf(page)).toEqual([])
    expect(await storageOf(context)).not.toContain('portolan.session')
    answered.resolve()
    await signInForm(page).waitFor()
    expect((await sessionsOf('agent@azahar.example'))[0]?.ended_at).not.toBeNull()
    await user.stop()
  })
})

test('over https only the __Host- cookie marks a sign-out; other pages preload nothing', async () => {
  const app = await openApp(testConfig({ PUBLIC_URL: 'https://portal.example' }), await testDatabase())
  const shown = async (cookie: string, url = '/products') => (await app.context.http.inject({ url, headers: { cookie } })).body
  expect(await shown('__Host-session=x; leaving=1')).toContain('portolan-session')
  expect(await shown('__Host-session=x; __Host-leaving=1')).not.toContain('portolan-session')
  expect(await shown('__Host-session=x')).toContain('_payload.json')
  expect(await shown('__Host-session=x', '/funnel?step=4')).not.toContain('_payload.json')
  await app.stop()
})
