import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '#common/kit/locales.ts'
import { enter, openPortal, type Portal, signIn, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: Locale) => portal.app.world.words(locale)

test('an agent mistypes the password, corrects it, sees the products and signs out', {
  tags: ['S2.1', 'S2.2', 'S4.17'],
}, async () => {
  const user = await portal.newUser({ chosen: 'pt-PT' })
  const { page } = user
  const words = wordsIn('pt-PT')
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: words('session.sign_in.title') }).waitFor()
  await page.getByLabel(words('session.sign_in.email')).fill('agent@azahar.example')
  await page.getByLabel(words('session.sign_in.password')).fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByText(words('refusal.session.bad_credentials')).waitFor()
  await expectPage(page.locator('[name=email]')).toHaveValue('agent@azahar.example')
  await page.locator('[name=password]:focus').waitFor()
  await page.keyboard.type('portolan-demo')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: words('products.title') }).waitFor()
  expect(page.url()).toBe(`${portal.origin}/products`)
  await expectPage(page.locator('main')).toBeFocused()
  await page
    .getByRole('list', { name: words('products.title') })
    .getByRole('heading', { level: 2 })
    .nth(7)
    .waitFor()
  await page.getByRole('button', { name: words('session.sign_out') }).click()
  await page.waitForURL(/sign-in$/)
  await page.getByRole('heading', { level: 1, name: words('session.sign_in.title') }).waitFor()
  await page.goto('/products')
  await page.waitForURL(/\/auth\/sign-in/)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('the sign-in page opens no keyboard on a touch screen', async () => {
  const user = await portal.newUser({ touch: true })
  await user.page.goto('/auth/sign-in')
  await user.page.locator('[name=email]:not(:focus)').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a chosen language applies at once and is remembered', async () => {
  const user = await portal.newUser()
  await user.page.goto('/auth/sign-in')
  await user.page.getByLabel('Idioma').selectOption('fr-FR')
  await user.page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
  await user.page.reload()
  await user.page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
  const served = await user.page.context().request.get(`${portal.origin}/auth/sign-in`)
  expect(await served.text()).toContain('<html lang="fr-FR">')
  const cookies = await user.page.context().cookies()
  expect(cookies.find(({ name }) => name === 'i18n_redirected')).toMatchObject({ value: 'fr-FR', path: '/' })
  await user.stop()
})

test('signing in leads to the requested page, with a cookie that no script can read', async () => {
  const user = await portal.newUser({ locale: 'fr-FR' })
  const { page } = user
  await page.goto('/products?product=x')
  await page.waitForURL(/redirect=/)
  await page.locator('[name=email]').fill('agent@azahar.example')
  await page.locator('[name=password]').fill('portolan-demo')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/products\?product=x$/)
  await page.getByRole('heading', { level: 1, name: wordsIn('es-ES')('products.title') }).waitFor()
  const seen = await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })')
  expect(seen).not.toMatch(/accessToken|session=/)
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  await user.stop()
})

/** Returns the query of a callback for that browser, or for another one. */
async function callbackQuery({ page }: User, email: string): Promise<string> {
  const reply = await page.request.post('/api/auth/login', { data: { email, password: 'portolan-demo' } })
  // Safe: the call responds in this format.
  const { data } = (await reply.json()) as { data: { callback: string } }
  return new URL(data.callback, portal.origin).search
}

test('B19: a token in the URL signs its user in, but not in another browser', {
  tags: ['S2.11', 'S4.17', 'S8.6'],
}, async () => {
  const [attacker, user] = [await portal.newUser(), await portal.newUser()]
  const { page } = user
  await page.goto(`/auth/callback${await callbackQuery(attacker, 'agent@rotta.example')}`)
  await page.waitForURL(/\/auth\/sign-in$/)
  await enter(user, 'agent@azahar.example')
  await page.goto(`/products${await callbackQuery(attacker, 'agent@rotta.example')}`)
  await page.waitForURL(/\/auth\/sign-in$/)
  await page.goto('/products')
  await page.getByRole('heading', { level: 2, name: 'Viaje Esencial' }).waitFor()
  await page.goto(`/policies/saved${await callbackQuery(user, 'agent@rotta.example')}`)
  await page.waitForURL(`${portal.origin}/policies/saved`)
  await page.getByRole('heading', { level: 1, name: wordsIn('it-IT')('shell.menu.budget') }).waitFor()
  expect(user.problems).toEqual([])
  await Promise.all([attacker.stop(), user.stop()])
})

test('a forgotten password is replaced through the emailed link', async () => {
  const user = await portal.newUser()
  const { page } = user
  await page.goto('/auth/forgot')
  await page.locator('[name=email]').fill('viewer@azahar.example')
  await page.locator('[type=submit]').click()
  await page.getByText(wordsIn('es-ES')('session.forgot.sent')).waitFor()
  // Safe: the demo's mailbox responds in this format.
  const mails = async () => (await (await page.request.get('/dev/mail.json')).json()) as { text: string }[]
  await expect.poll(async () => (await mails()).length).toBe(1)
  const link = /http\S+#token=\S+/.exec((await mails())[0]?.text ?? '')?.[0] ?? ''
  await page.goto(link)
  await page.locator('[name=password]').waitFor()
  expect(page.url()).not.toContain('token')
  // The reloaded page has no token.
  await page.reload()
  await page.locator('[name=password]').fill('una-frase-mejor')
  await page.locator('[type=submit]').click()
  await page.getByText(wordsIn('es-ES')('refusal.session.bad_token')).waitFor()
  await page.goto('about:blank')
  await page.goto(link)
  await page.locator('[name=password]').fill('una-frase-mejor')
  await page.locator('[type=submit]').click()
  await page.getByText(wordsIn('es-ES')('session.reset.done')).waitFor()
  await signIn(user, 'viewer@azahar.example', 'una-frase-mejor')
  await page.waitForURL(/\/products$/)
  await user.stop()
})

test('an unknown page responds with 404 and shows the not-found page', { tags: ['S2.3', 'S2.14', 'S8.8'] }, async () => {
  const user = await portal.newUser()
  const reply = await user.page.goto('/nowhere')
  expect(reply?.status()).toBe(404)
  await user.page.getByText('Página no encontrada: /nowhere').waitFor()
  await user.page.getByRole('heading', { name: wordsIn('es-ES')('lost.title') }).waitFor()
  await user.page.getByText(wordsIn('es-ES')('lost.hint')).waitFor()
  const statusOf = async (path: string) => (await user.page.request.get(path)).status()
  expect([await statusOf('/funnel?step=4'), await statusOf('/funnel?step=2')]).toEqual([404, 200])
  await user.page.goto('/credits')
  await user.page.goto('/nowhere')
  await user.page.getByRole('button', { name: wordsIn('es-ES')('lost.back') }).click()
  await user.page.waitForURL(/\/credits$/)
  await user.stop()
})
