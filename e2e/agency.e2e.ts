import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { pngOf } from '#server/agency/logo/testing.ts'
import { codeAt, stepAt } from '#server/session/second-factor/totp.ts'
import { accessibilityOf, enter, openPortal, type Portal, signIn, type User, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal({ RATE_LIMIT_PER_MINUTE: '100000' })
})
afterAll(() => portal.stop())

const words = wordsOf(() => portal, 'es-ES')
const manager = 'manager@azahar.example'

/** Closes the browser contexts and checks that they reported no problem. */
async function end(...users: User[]): Promise<void> {
  for (const user of users) {
    // The browser logs every 409, even one that the portal handles.
    expect(user.problems.filter(text => !/status of 409/.test(text))).toEqual([])
    await user.stop()
  }
}
const tab = (page: Page, key: PlainMessageId) => page.getByRole('tab', { name: words(key) })

test('the account’s tabs fit a phone, work with arrow keys and survive a reload', { tags: 'S2.7' }, async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  await enter(user, manager, '/account')
  await page.getByLabel(words('agency.field.street')).waitFor()
  await tab(page, 'agency.tab.agency').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('viewer@azahar.example').filter({ visible: true }).waitFor()
  // Each user has two lines.
  expect((await page.locator('#main tbody tr').first().boundingBox())?.height).toBeLessThan(70)
  await page.keyboard.press('ArrowRight')
  await page.getByText(words('account.sessions.current'), { exact: true }).waitFor()
  await page.reload()
  await page.getByText(words('account.sessions.current'), { exact: true }).waitFor()
  await end(user)
})

test('a concurrent edit of the agency keeps the input and saves it beside the other', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, manager, '/account')
  const field = (on: Page, key: PlainMessageId) => on.getByLabel(words(key))
  await field(page, 'agency.field.street').fill('Calle de la Paz 14')
  await field(page, 'agency.field.phone').fill('123')
  await page.keyboard.press('Tab')
  await page.locator('[name="contactInfo.phone"][aria-invalid=true]').waitFor()
  await field(page, 'agency.field.phone').fill('+34 961 000 001')
  const other = await page.context().newPage()
  await other.goto('/account')
  await field(other, 'agency.field.email').fill('nuevo@azahar.example')
  await field(other, 'agency.field.phone').fill('+34961000009')
  await other.keyboard.press('Enter')
  await other.locator('ins', { hasText: 'nuevo@azahar.example' }).waitFor()
  await field(page, 'agency.field.phone').press('Enter')
  await page.getByText(words('agency.changed.title')).waitFor()
  const values = () => Promise.all((['street', 'phone', 'email'] as const).map(name => field(page, `agency.field.${name}`).inputValue()))
  await expect.poll(() => values()).toEqual(['Calle de la Paz 14', '+34 961 000 001', 'nuevo@azahar.example'])
  expect(await accessibilityOf(page)).toEqual([])
  await field(page, 'agency.field.phone').press('Enter')
  await page.locator('ins', { hasText: 'Calle de la Paz 14' }).waitFor()
  await expectPage(page.getByText(words('agency.changed.title'))).toHaveCount(0)
  await other.reload()
  await expectPage(field(other, 'agency.field.street')).toHaveValue('Calle de la Paz 14')
  await expectPage(field(other, 'agency.field.email')).toHaveValue('nuevo@azahar.example')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf({ width: 40, height: 20 }) })
  await page.getByRole('slider', { name: words('agency.logo.zoom') }).press('End')
  await page.getByRole('button', { name: words('agency.logo.use') }).click()
  await page.locator('aside img[src^="data:image/png"]').waitFor()
  await field(page, 'agency.field.street').fill('Calle de la Paz 16')
  // Leaving unsaved changes needs a confirmation.
  await page.getByRole('tab', { name: words('agency.tab.users') }).click()
  await page.getByRole('alertdialog', { name: words('panel.unsaved.title') }).waitFor()
  await page.keyboard.press('Escape')
  await field(page, 'agency.field.street').press('Enter')
  await page.locator('ins', { hasText: 'Calle de la Paz 16' }).waitFor()
  await end(user)
})

test('a short password is not sent; a button stays under the pointer as an error goes', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/account?tab=me')
  const sentPasswords: string[] = []
  page.on('request', request => request.url().includes('password') && sentPasswords.push(request.method()))
  await page.locator('[name=current]').fill('wrong')
  await page.locator('[name=password]').fill('short')
  await page.getByRole('button', { name: words('account.password.change') }).click()
  const field = page.locator('[name=password][aria-invalid=true]')
  await field.waitFor()
  await expectPage(field).toBeFocused()
  const save = page.getByRole('button', { name: words('account.save') })
  await page.locator('[name=name]').fill('')
  await save.click()
  await page.locator('[name=name][aria-invalid=true]').waitFor()
  await page.locator('[name=name]').fill('Lucía Serra')
  const { x = 0, y = 0, width = 0, height = 0 } = (await save.boundingBox()) ?? {}
  const sent = page.waitForRequest(request => request.method() === 'PUT' && request.url().includes('/users/me'))
  await page.mouse.click(x + width / 2, y + height - 3)
  await sent
  expect(sentPasswords).toEqual([])
  await end(user)
})

test('a manager invites a user by keyboard, who sets a password and is suspended', async () => {
  const [user, invited] = [await portal.newUser(), await portal.newUser({ width: 390 })]
  const { page } = user
  await enter(user, manager, '/account?tab=users')
  await page.getByRole('button', { name: words('agency.users.invite') }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[name=name]:focus').waitFor()
  await page.keyboard.type('Marta Gil')
  await page.keyboard.press('Tab')
  await page.keyboard.type('marta@azahar.example')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Marta Gil/ })
  await row.getByRole('cell', { name: words('agency.state.invited') }).waitFor()
  await portal.app.world.outbox.drain()
  // Safe: the demo's mailbox responds in this format.
  const mails = (await (await page.request.get('/dev/mail.json')).json()) as { to: string; text: string }[]
  const link = /(\/auth\/invitation#token=\S+)/.exec(mails.find(({ to }) => to === 'marta@azahar.example')?.text ?? '')?.[1] ?? ''
  await invited.page.goto(link)
  await invited.page.getByLabel(words('session.reset.password')).waitFor()
  expect(new URL(invited.page.url()).hash).toBe('')
  await invited.page.getByLabel(words('session.reset.password')).fill('a password of her own')
  await invited.page.keyboard.press('Enter')
  await invited.page.waitForURL(/\/products$/)
  await page.reload()
  await row.getByRole('cell', { name: words('agency.state.active') }).waitFor()
  await row.getByRole('button', { name: words('agency.users.actions_of', { name: 'Marta Gil' }) }).click()
  await page.getByRole('menuitem', { name: words('agency.users.suspend') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: words('alert.confirm.confirm') })
    .click()
  await row.getByRole('cell', { name: words('agency.state.suspended') }).waitFor()
  await page
    .getByRole('row', { name: /Andrés Molina/ })
    .getByRole('button')
    .click()
  await page.getByRole('menuitem', { name: words('agency.users.suspend') }).click()
  const window = page.getByRole('alertdialog')
  await window.getByRole('button', { name: words('alert.confirm.confirm') }).click()
  await window.getByText(words('refusal.agency.last_manager')).waitFor()
  expect((await invited.page.request.get('/api/users/me')).status()).toBe(401)
  await end(user, invited)
})

test('an agency that requires a code has users set it up, and asks it at sign-in', async () => {
  const { kysely } = portal.app.world.database
  const unit = await kysely.selectFrom('business_units').select(['id', 'settings']).where('key', '=', 'rotta').executeTakeFirstOrThrow()
  const settings = JSON.stringify({ ...unit.settings, twoFactorRequired: true })
  await kysely.updateTable('business_units').set({ settings }).where('id', '=', unit.id).execute()
  const user = await portal.newUser({ width: 390, chosen: 'es-ES' })
  const { page } = user
  await signIn(user, 'agent@rotta.example')
  await page.getByText(words('account.two_factor.wanted')).waitFor()
  await page.getByLabel(words('session.sign_in.password')).fill('portolan-demo')
  await page.keyboard.press('Enter')
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('img', { name: words('account.two_factor.picture') }).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  const code = (later = 0) => codeAt(fromBase32(secret), stepAt(new Date()) + later)
  await page.getByLabel(words('session.code.label')).fill(code())
  await page.keyboard.press('Enter')
  const kept = page.getByRole('list', { name: words('account.recovery.title') }).getByRole('listitem')
  await kept.first().waitFor()
  const recovery = await kept.allTextContents()
  expect(recovery).toHaveLength(10)
  await page.getByRole('button', { name: words('account.recovery.done') }).click()
  await page.waitForURL(/\/products$/)
  await page.locator('#main h1').waitFor()
  await page.context().clearCookies()
  await signIn(user, 'agent@rotta.example')
  await page.getByLabel(words('session.code.label')).fill('not it')
  await page.keyboard.press('Enter')
  await page.getByText(words('refusal.session.bad_code')).waitFor()
  await page.getByLabel(words('session.code.label')).fill(recovery[0] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/products$/)
  await end(user)
})

function fromBase32(text: string): Buffer {
  const fives = Array.from(text, letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((fives.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}
