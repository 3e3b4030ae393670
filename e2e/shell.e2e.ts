import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enter, storedAt, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal({ ROUTE_RULES: JSON.stringify({ '/old': { redirect: '/policies' } }) })
})
afterAll(() => portal.stop())

const spanish = () => portal.app.world.words('es-ES')
const english = () => portal.app.world.words('en-EN')
const menuOf = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name, exact: true })
    .getByRole('link')
    .evaluateAll(links => links.map(link => link.getAttribute('href')))

describe('the menu', () => {
  test('a user who may not sell gets 403 for saved quotes, and is offered no sale', {
    tags: ['S2.6', 'S2.19', 'S2.20', 'S6.3', 'S8.7'],
  }, async () => {
    const user = await portal.newUser({ chosen: 'en-EN' })
    const { page } = user
    await enter(user, 'viewer@azahar.example', '/policies/saved')
    await page.getByRole('heading', { level: 1, name: 'You do not have access to this page' }).waitFor()
    await page.getByText('Error: Insufficient Permissions').waitFor()
    await page.getByText('403', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Go Back Home' }).click()
    await page.waitForURL(/\/products$/)
    await page
      .getByRole('link', { name: english()('shell.menu.policies'), exact: true })
      .first()
      .click()
    await page.getByText(english()('policies.none_sold')).waitFor()
    await expect.poll(() => menuOf(page, 'Menu')).toEqual(['/', '/products', '/policies', '/account', '/claim', '/customer-service'])
    await expectPage(page.locator('aside a[href="/funnel"]')).toHaveCount(0)
    await expectPage(page.getByRole('main').getByRole('button', { name: english()('shell.menu.insurances') })).toHaveCount(0)
    await page.keyboard.press('?')
    await page.getByText(english()('keys.help')).waitFor()
    await expectPage(page.getByText(english()('keys.paste'))).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+K')
    await page.locator('[name=palette]').fill(english()('shell.menu.funnel'))
    await page.getByText(english()('ui.combobox.none', { text: english()('shell.menu.funnel') })).waitFor()
    await user.stop()
  })

  test('a phone has the main pages at its bottom, replaced by keyboard or footer', async () => {
    const user = await portal.newUser({ width: 390, touch: true })
    const { page } = user
    await enter(user, 'agent@azahar.example')
    const bar = page.getByRole('navigation', { name: spanish()('shell.places') })
    // The bar covers nothing at the end of a long page.
    const { end, top } = await page.evaluate(() => {
      window.scrollTo(0, document.documentElement.scrollHeight)
      const edges = (selector: string) => [...document.querySelectorAll(selector)].map(each => each.getBoundingClientRect())
      return { end: Math.max(...edges('#main > *').map(({ bottom }) => bottom)), top: edges('.places')[0]?.top }
    })
    expect(end).toBeLessThanOrEqual(Number(top))
    await bar.getByRole('link', { name: spanish()('shell.menu.policies') }).click()
    await page.waitForURL(/\/policies$/)
    await expectPage(bar.getByRole('link')).toHaveText(
      (['insurances', 'policies', 'budget', 'claims'] as const).map(place => spanish()(`shell.menu.${place}`)),
    )
    await expectPage(bar.locator('[aria-current=page]')).toHaveText(spanish()('shell.menu.policies'))
    await page.locator('[name=searchData]').focus()
    await bar.waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.evaluate('document.activeElement.blur()')
    await bar.getByRole('button', { name: spanish()('shell.more') }).click()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: spanish()('shell.menu.account') })
      .click()
    await page.waitForURL(/\/account/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { id } = await portal.app.world.database.asService(tx =>
      tx.selectFrom('products').select('id').where('code', '=', 'ESS').executeTakeFirstOrThrow(),
    )
    await page.goto(`/funnel?product=${id}`)
    await page.locator('[data-foot]').waitFor()
    await bar.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 820, height: 900 })
    await page.goto('/policies')
    await page.getByRole('navigation', { name: spanish()('shell.menu.label') }).waitFor()
    await expectPage(bar).toBeHidden()
    expect(user.problems).toEqual([])
    await user.stop()
  })
})

test('the service redirects a route that has a rule', { tags: 'S2.15' }, async () => {
  const reply = await portal.app.context.http.inject('/old')
  expect([reply.statusCode, reply.headers.location]).toEqual([302, '/policies'])
})

test('a fatal error leads to the error screen with its status and message', { tags: 'S8.11' }, async () => {
  const user = await portal.newUser({ chosen: 'en-EN' })
  const { page } = user
  const payload = '**/_payload.json*'
  const me = '**/api/users/me'
  await enter(user, 'agent@azahar.example')
  const json = { code: 429, error: 'request.too_many', errorMessage: 'Reason of 429', requestId: '1' }
  // Without settings the portal would work, but not without the user.
  for (const path of [payload, me]) await page.route(path, route => route.fulfill({ status: 429, json }))
  await page.goto('/policies')
  await page.getByText('Error: Reason of 429').waitFor()
  await expectPage(page.getByText('429', { exact: true })).toHaveCount(1)
  for (const path of [payload, me]) await page.unroute(path)
  // A response without its data is a bug that no page expects.
  await page.route(payload, route => route.fulfill({ json: { code: 200, data: {} } }))
  await page.goto('/policies')
  await page.getByRole('heading', { name: 'Oops! Something went wrong.' }).waitFor()
  await expectPage(page.getByText('500', { exact: true })).toHaveCount(1)
  await page.unroute(payload)
  await page.getByRole('link', { name: 'Go Back Home' }).click()
  await page.waitForURL(/\/products$/)
  await user.stop()
})

test('another agency applies its language unless the user has chosen one', {
  tags: ['S2.23', 'S4.15', 'S9.8'],
}, async () => {
  const user = await portal.newUser()
  const { page } = user
  const change = async (button: string, agency: string) => {
    await page.locator('aside').getByRole('button', { name: button }).click()
    await page.getByRole('menuitemradio', { name: agency }).click()
    await page.locator('aside').getByRole('button', { name: agency }).waitFor()
  }
  await enter(user, 'multi@portolan.example')
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<Route>()
  let isFirst = true
  // The route is kept: while its last route is removed, the browser may drop a request that begins, here for the messages.
  await page.route('**/products/_payload.json', route => {
    if (!isFirst) return route.continue()
    isFirst = false
    hold(route)
  })
  const changed = change('Viajes Azahar', 'Rotta Viaggi')
  const route = await isHeld
  await page.locator('output.fixed').getByText(spanish()('ui.loading')).waitFor()
  await route.continue()
  await changed
  await page.getByRole('heading', { level: 1, name: 'Prodotti' }).waitFor()
  await page.locator('output.fixed').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Prodotti' }).waitFor()
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'i18n_redirected')
  expect(cookie).toMatchObject({ value: 'it-IT', path: '/' })
  expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365)
  await page.getByRole('button', { name: /multi@portolan\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  await change('Rotta Viaggi', 'Viajes Azahar')
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('signing in again over the page keeps the form, also above a dialog', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example')
  const departure = page.locator('main [name=startDate]')
  await departure.fill('01/06/2027')
  const isAsked = Promise.withResolvers<void>()
  await page.route(/product-details/, async route => {
    await isAsked.promise
    await route.continue()
  })
  await page.context().clearCookies({ name: 'session' })
  await page.getByRole('button', { name: 'Detalles de Nieve y Esquí' }).click()
  const overlay = page.getByRole('dialog', { name: spanish()('lost.ended.title') })
  await overlay.waitFor()
  isAsked.resolve()
  const details = page.getByRole('heading', { name: 'Nieve y Esquí', includeHidden: true })
  await page.locator('dialog', { has: details }).waitFor()
  await page.keyboard.type('portolan-demo')
  await page.keyboard.press('Enter')
  await overlay.waitFor({ state: 'detached' })
  await page.getByRole('dialog', { name: 'Nieve y Esquí' }).waitFor()
  await expectPage(departure).toHaveValue('01/06/2027')
  await user.stop()
})

test('signing out clears the browser’s storage and every tab', { tags: ['S2.18', 'S4.14'] }, async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await page.locator('[name=startDate]').fill('01012027')
  await expect.poll(() => storedAt(page, 'funnel')).toContain('01/01/2027')
  await page.goto('/products')
  await page.getByRole('heading', { level: 1, name: 'Seguros' }).waitFor()
  const other = await page.context().newPage()
  await other.goto('/products')
  await other.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await page.waitForURL(/sign-in/)
  await other.waitForURL(/sign-in/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const left = await page.evaluate<string[]>('Object.keys(localStorage).concat(Object.keys(sessionStorage))')
  expect(left.filter(name => !['portolan.appearance', 'portolan.followed-language', 'tsr-scroll-restoration-v1_3'].includes(name))).toEqual(
    [],
  )
  // The stored scroll positions name no page.
  await expect.poll(() => page.evaluate("sessionStorage.getItem('tsr-scroll-restoration-v1_3') ?? ''")).not.toMatch(/policy|search|@/)
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['i18n_redirected'])
  await user.stop()
})

test('a newer build is found on focus and every five minutes, and loaded on request', { tags: 'S7.22' }, async () => {
  const user = await portal.newUser()
  const { page } = user
  await page.clock.install()
  await enter(user, 'agent@azahar.example')
  const [asked] = await Promise.all([page.waitForResponse('**/builds/latest.json'), page.evaluate("dispatchEvent(new Event('focus'))")])
  await asked.finished()
  await page.route('**/builds/latest.json', route => route.fulfill({ json: { id: 'newer', timestamp: 1 } }))
  await page.clock.runFor(5 * 60_000)
  await page.getByText(spanish()('shell.new_build')).waitFor()
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: spanish()('shell.reload') }).click()])
  await user.stop()
})

test('a lost connection is shown; a missing chunk reloads once the server is back', async () => {
  const user = await portal.newUser()
  const { page } = user
  await page.clock.install()
  await enter(user, 'agent@azahar.example')
  await page.context().setOffline(true)
  await page.getByText(spanish()('shell.no_connection')).waitFor()
  await page.context().setOffline(false)
  await page.getByText(spanish()('shell.no_connection')).waitFor({ state: 'detached' })
  // While the server is down, a part that cannot load does not reload the page.
  const opened = await page.evaluate<number>('performance.timeOrigin')
  let answer = (route: Route) => route.abort('connectionrefused')
  await page.route('**/*', route => answer(route))
  await page.getByRole('link', { name: 'Perfil de la agencia' }).click()
  await page.getByText(spanish()('shell.offline')).first().waitFor()
  // A retry in vain keeps the address.
  const retry = page.getByRole('button', { name: spanish()('shell.try_again') })
  await Promise.all([page.waitForEvent('requestfailed', request => request.url().endsWith('/builds/latest.json')), retry.click()])
  await page.getByText(spanish()('shell.offline')).first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/account')
  expect(await page.evaluate<number>('performance.timeOrigin')).toBe(opened)
  // The page also asks by itself, so no answer comes before the click: a reload would take the button away.
  const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>()
  answer = async route => {
    await isBack
    await route.continue()
  }
  await retry.click()
  const loaded = page.waitForEvent('load')
  comeBack()
  await loaded
  await page.waitForURL(/\/account$/)
  await page.getByRole('heading', { level: 1, name: 'Perfil de la agencia' }).waitFor()
  await user.stop()
})

test('signing in and the palette, which finds products, work by keyboard alone', { tags: ['S2.17', 'S2.19'] }, async () => {
  const user = await portal.newUser()
  const { page } = user
  await page.goto('/')
  await page.locator('[name=email]:focus').waitFor()
  await page.keyboard.type('agent@azahar.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('portolan-demo')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Seguros' }).waitFor()
  const hrefs = ['/', '/products', '/policies/saved', '/policies', '/account', '/claim', '/customer-service']
  await expect.poll(() => menuOf(page, 'Menú')).toEqual(hrefs)
  await expectPage(page.locator('aside a[href="/funnel"]')).toHaveCount(1)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Atajos de teclado' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('poliz')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies$/)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('vender esqui')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/funnel\?product=/)
  await page.goBack()
  await page.getByRole('link', { name: 'Seguros' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/products$/)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('two products are compared side by side, and the funnel opens with a chosen one', { tags: 'S2.2' }, async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example')
  for (const name of ['Viaje Esencial', 'Solo Cancelación']) {
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
      .getByLabel('Comparar')
      .check()
  }
  await page.getByRole('button', { name: 'Comparar (2)' }).click()
  const compared = page.getByRole('dialog').getByRole('columnheader')
  await expectPage(compared).toContainText(['', 'Viaje Esencial', 'Solo Cancelación'])
  await page
    .getByRole('dialog')
    .getByRole('link', { name: spanish()('products.sell_named', { product: 'Solo Cancelación' }), exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: spanish()('funnel.step1') }).waitFor()
  const chosen = page.locator('[data-product][aria-selected=true]')
  await expectPage(chosen).toContainText('Solo Cancelación')
  // So does a product's card, whose button is replaced by that of its open details.
  await page.goto('/products')
  const sell = page.locator(`main a[aria-label="${spanish()('products.sell_named', { product: 'Viaje Esencial' })}"]`)
  await sell.waitFor()
  await page.getByRole('button', { name: spanish()('products.details_of', { product: 'Viaje Esencial' }) }).click()
  await page.getByRole('dialog').getByText(spanish()('products.important')).waitFor()
  await expectPage(sell.filter({ visible: true })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page
    .getByRole('listitem')
    .getByRole('link', { name: spanish()('products.sell_named', { product: 'Viaje Esencial' }), exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: spanish()('funnel.step1') }).waitFor()
  await expectPage(chosen).toContainText('Viaje Esencial')
  await user.stop()
})
