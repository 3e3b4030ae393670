import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { enter, openPortal, type Portal, signIn, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: Locale) => portal.app.world.words(locale)

describe.each(locales)('in %s', locale => {
  test('an agent signs in, sees the agency’s products and signs out', { tags: ['S2.1', 'S2.2', 'S4.17'] }, async () => {
    const user = await portal.newUser({ chosen: locale })
    const { page } = user
    const words = wordsIn(locale)
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: words('session.sign_in.title') }).waitFor()
    await page.getByLabel(words('session.sign_in.email')).fill('agent@azahar.example')
    await page.getByLabel(words('session.sign_in.password')).fill('portolan-demo')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: words('products.title') }).waitFor()
    expect(page.url()).toBe(`${portal.origin}/products`)
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

  test('a wrong password shows an error, keeps the input and is typed over', async () => {
    const user = await portal.newUser({ chosen: locale })
    await signIn(user, 'agent@azahar.example', 'not this one')
    await user.page.getByText(wordsIn(locale)('refusal.session.bad_credentials')).waitFor()
    await expectPage(user.page.locator('[name=email]')).toHaveValue('agent@azahar.example')
    // The password is typed next, over the wrong one.
    await user.page.locator('[name=password]:focus').waitFor()
    await user.page.keyboard.type('portolan-demo')
    await user.page.keyboard.press('Enter')
    await user.page.locator('#main h1').waitFor()
    await user.stop()
  })
})

test('the sign-in page is typed into at once, but opens no keyboard on a touch screen', async () => {
  for (const touch of [false, true]) {
    const user = await portal.newUser({ touch })
    const { page } = user
    await page.goto('/auth/sign-in')
    await page.locator(touch ? '[name=email]:not(:focus)' : '[name=email]:focus').waitFor()
    if (!touch) {
      await page.keyboard.type('agent@azahar.example')
      await page.keyboard.press('Tab')
      await page.keyboard.type('portolan-demo')
      await page.keyboard.press('Enter')
      await page.waitForURL(/products$/)
    }
    expect(user.problems).toEqual([])
    await user.stop()
  }
})

test('after sign-in the agency’s language replaces the browser’s', async () => {
  const user = await portal.newUser({ locale: 'fr-FR' })
  await signIn(user, 'agent@azahar.example')
  await user.page.getByRole('heading', { level: 1, name: wordsIn('es-ES')('products.title') }).waitFor()
  await user.page.getByRole('heading', { level: 2, name: 'Viaje Esencial' }).waitFor()
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

test('signing in leads to the page that was requested', async () => {
  const user = await portal.newUser()
  await user.page.goto('/products?type=x')
  await user.page.waitForURL(/redirect=/)
  await user.page.locator('[name=email]').fill('agent@azahar.example')
  await user.page.locator('[name=password]').fill('portolan-demo')
  await user.page.keyboard.press('Enter')
  await user.page.waitForURL(/\/products\?type=x$/)
  await user.stop()
})

test('B19: a callback with another user’s token leads to the sign-in', { tags: ['S2.11', 'S8.6'] }, async () => {
  const [attacker, victim] = [await portal.newUser(), await portal.newUser()]
  await victim.page.goto(`/auth/callback${await callbackQuery(attacker, 'agent@rotta.example')}`)
  await victim.page.waitForURL(/\/auth\/sign-in$/)
  await Promise.all([attacker.stop(), victim.stop()])
})

/** Returns the query of a callback for that browser, or for another one's. */
async function callbackQuery({ page }: User, email: string): Promise<string> {
  const reply = await page.request.post('/api/auth/login', { data: { email, password: 'portolan-demo' } })
  // Safe: the call answers in this form.
  const { data } = (await reply.json()) as { data: { callback: string } }
  return new URL(data.callback, portal.origin).search
}

test('a token in the URL of a page replaces the signed-in user, but one of another browser does not', { tags: ['S4.17'] }, async () => {
  const [attacker, user] = [await portal.newUser(), await portal.newUser()]
  const { page } = user
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

test('scripts of the page cannot read the session cookie', async () => {
  const user = await portal.newUser()
  await signIn(user, 'agent@azahar.example')
  await user.page.waitForURL(/\/products$/)
  const seen = await user.page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })')
  expect(seen).not.toMatch(/accessToken|session=/)
  const cookies = await user.page.context().cookies()
  expect(cookies.find(({ name }) => name === 'session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  await user.stop()
})

test('a forgotten password is replaced through the emailed link', async () => {
  const user = await portal.newUser()
  const { page } = user
  await page.goto('/auth/forgot')
  await page.locator('[name=email]').fill('viewer@azahar.example')
  await page.locator('[type=submit]').click()
  await page.getByText(wordsIn('es-ES')('session.forgot.sent')).waitFor()
  // Safe: the demo's mailbox answers in this form.
  const mails = async () => (await (await page.request.get('/dev/mail.json')).json()) as { text: string }[]
  await expect.poll(async () => (await mails()).length).toBe(1)
  const link = /http\S+#token=\S+/.exec((await mails())[0]?.text ?? '')?.[0] ?? ''
  await page.goto(link)
  await page.locator('[name=password]').waitFor()
  expect(page.url()).not.toContain('token')
  // The page has no token once it is loaded again.
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

test('an unknown page answers 404 and shows the not-found page', { tags: ['S2.14', 'S8.8'] }, async () => {
  const user = await portal.newUser()
  const reply = await user.page.goto('/nowhere')
  expect(reply?.status()).toBe(404)
  await user.page.getByText('Página no encontrada: /nowhere').waitFor()
  await user.page.getByRole('heading', { name: wordsIn('es-ES')('lost.title') }).waitFor()
  await user.page.getByText(wordsIn('es-ES')('lost.hint')).waitFor()
  await user.page.goto('/credits')
  await user.page.goto('/nowhere')
  await user.page.getByRole('button', { name: wordsIn('es-ES')('lost.back') }).click()
  await user.page.waitForURL(/\/credits$/)
  await user.stop()
})
