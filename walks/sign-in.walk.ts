import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { openPortal, type Portal, signIn } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: Locale) => portal.app.world.words(locale)

describe.each(locales)('in %s', locale => {
  test('an agent signs in, sees what the agency sells, and signs out', async () => {
    const walker = await portal.walk({ chosen: locale })
    const { page } = walker
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
    expect(walker.complaints).toEqual([])
    await walker.stop()
  })

  test('a wrong password is said, and what was typed stays', async () => {
    const walker = await portal.walk({ chosen: locale })
    await signIn(walker, 'agent@azahar.example', 'not this one')
    await walker.page.getByText(wordsIn(locale)('refusal.session.bad_credentials')).waitFor()
    expect(await walker.page.locator('[name=email]').inputValue()).toBe('agent@azahar.example')
    await walker.stop()
  })
})

test('signed in, everything speaks the agency’s language, whatever the browser’s', async () => {
  const walker = await portal.walk({ locale: 'fr-FR' })
  await signIn(walker, 'agent@azahar.example')
  await walker.page.getByRole('heading', { level: 1, name: wordsIn('es-ES')('products.title') }).waitFor()
  await walker.page.getByRole('heading', { level: 2, name: 'Viaje Esencial' }).waitFor()
  await walker.stop()
})

test('another language is chosen at once, and remembered', async () => {
  const walker = await portal.walk()
  await walker.page.goto('/auth/sign-in')
  await walker.page.getByLabel('Idioma').selectOption('fr-FR')
  await walker.page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
  await walker.page.reload()
  await walker.page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
  const cookies = await walker.page.context().cookies()
  expect(cookies.find(({ name }) => name === 'i18n_redirected')).toMatchObject({ value: 'fr-FR', path: '/' })
  await walker.stop()
})

test('the page that was asked for is shown after signing in', async () => {
  const walker = await portal.walk()
  await walker.page.goto('/products?type=x')
  await walker.page.waitForURL(/redirect=/)
  await walker.page.locator('[name=email]').fill('agent@azahar.example')
  await walker.page.locator('[name=password]').fill('portolan-demo')
  await walker.page.keyboard.press('Enter')
  await walker.page.waitForURL(/\/products\?type=x$/)
  await walker.stop()
})

test('B19: a callback with somebody else’s token leads to the sign-in', async () => {
  const [attacker, victim] = [await portal.walk(), await portal.walk()]
  const reply = await attacker.page.request.post('/api/auth/login', { data: { email: 'agent@rotta.example', password: 'portolan-demo' } })
  const { data } = (await reply.json()) as { data: { callback: string } }
  await victim.page.goto(data.callback)
  await victim.page.waitForURL(/\/auth\/sign-in$/)
  await Promise.all([attacker.stop(), victim.stop()])
})

test('no script of the page can read the session', async () => {
  const walker = await portal.walk()
  await signIn(walker, 'agent@azahar.example')
  await walker.page.waitForURL(/\/products$/)
  const seen = await walker.page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })')
  expect(seen).not.toMatch(/accessToken|session=/)
  const cookies = await walker.page.context().cookies()
  expect(cookies.find(({ name }) => name === 'session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  await walker.stop()
})

test('a forgotten password: the mail’s link, a new password, in with it', async () => {
  const walker = await portal.walk()
  const { page } = walker
  await page.goto('/auth/forgot')
  await page.locator('[name=email]').fill('viewer@azahar.example')
  await page.locator('[type=submit]').click()
  await page.getByText(wordsIn('es-ES')('session.forgot.sent')).waitFor()
  const mails = async () => (await (await page.request.get('/dev/mail.json')).json()) as { text: string }[]
  await expect.poll(async () => (await mails()).length).toBe(1)
  const link = /http\S+#token=\S+/.exec((await mails())[0]?.text ?? '')?.[0] ?? ''
  await page.goto(link)
  await page.locator('[name=password]').fill('una-frase-mejor')
  expect(page.url()).not.toContain('token')
  await page.locator('[type=submit]').click()
  await page.getByText(wordsIn('es-ES')('session.reset.done')).waitFor()
  await signIn(walker, 'viewer@azahar.example', 'una-frase-mejor')
  await page.waitForURL(/\/products$/)
  await walker.stop()
})

test('an unknown page is told, with status 404 from the server', async () => {
  const walker = await portal.walk()
  const reply = await walker.page.goto('/nowhere')
  expect(reply?.status()).toBe(404)
  await walker.page.getByText('Página no encontrada: /nowhere').waitFor()
  await walker.stop()
})
