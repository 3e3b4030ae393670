import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { inProcess, type TestApp } from '#server/kit/testing.ts'
import { type Seller, sellerOf } from '#server/policies/testing.ts'
import { sellTo, tokenFor } from '#server/client/testing.ts'
import { fill, openPortal, type Portal, type User, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The page of a policy's client: opened by the link in an email, on a phone, without an account.

let portal: Portal
let app: TestApp
let seller: Seller
beforeAll(async () => {
  portal = await openPortal()
  app = inProcess(portal.app)
  seller = await sellerOf(app)
})
afterAll(() => portal.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 20)
const distance = { channel: 'distance', startDate: start, endDate: addDays(start, 41) }
const pictures = process.env['SCREENS']

async function shown(user: User, token: string): Promise<Page> {
  const { page } = user
  await page.goto(`/my-policy#${token}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
  return page
}

const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' })
}
const t = (key: PlainMessageId, locale: Locale = 'es-ES') => portal.app.world.words(locale)(key)
const mailsTo = async (policyUuid: string) => {
  await app.world.outbox.drain()
  const rows = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', policyUuid).execute()
  return rows.filter(({ template }) => template === 'withdrawal_received')
}

test('a client withdraws on a phone in two steps, and keeps the receipt', async () => {
  const sold = await sellTo(app, seller, distance)
  const user = await portal.newUser({ width: 390, touch: true })
  const sent: string[] = []
  user.page.on('request', request => sent.push(request.url()))
  const page = await shown(user, sold.token)
  // The emergency number comes before everything that can be pressed.
  await expectPage(page.locator('main').locator('a, button').first()).toHaveAttribute('href', /^tel:\+\d+$/)
  await expectPage(page).toHaveTitle('Mi póliza · Viajes Azahar')
  await picture(page, 'es-390')
  await page.getByRole('button', { name: t('client.withdraw_here') }).click()
  await expectPage(page.locator('[name=name]')).toHaveValue('Ana García López')
  await expectPage(page.locator('[name=number]')).toHaveValue(sold.number)
  await fill(page, { confirmTo: 'ana.nueva@example.es' })
  await picture(page, 'es-390-step-1')
  await page.getByRole('button', { name: t('client.continue') }).click()
  const form = page.locator('form')
  await form.getByText('Yo, Ana García López').waitFor()
  await form.getByText(/^Se le devuelven [\d.,]+\s€ a través de Viajes Azahar\.$/).waitFor()
  await expectPage(form.getByRole('button')).toHaveText(['Confirmar el desistimiento'])
  await picture(page, 'es-390-step-2')
  await form.getByRole('button').click()
  const receipt = page.locator('main > section').first()
  await receipt.getByRole('heading', { name: t('client.received') }).waitFor()
  await expectPage(receipt.locator('time')).toHaveText(/\d{4}.*\d{1,2}:\d\d:\d\d/)
  await waitUntilLoaded(page)
  await picture(page, 'es-390-receipt')
  const download = page.waitForEvent('download')
  await receipt.getByRole('button', { name: t('client.receipt_save') }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('desisto de este contrato')
  const mails = await mailsTo(sold.policyUuid)
  expect(mails.map(({ recipient_address: to }) => to).toSorted()).toEqual(['ana.nueva@example.es', 'ana@example.es'])
  expect(mails[0]?.text_body?.replaceAll('> ', '')).toContain(text.split('\n')[1])
  // The contract has ended, which the page shows by itself.
  await page.getByText(t('client.withdrawn'), { exact: true }).waitFor()
  // The reloaded page lacks the function, and has the receipt.
  await page.reload()
  await receipt.getByRole('heading', { name: t('client.received') }).waitFor()
  await expectPage(page.getByRole('button', { name: t('client.withdraw_here') })).toHaveCount(0)
  expect(sent.filter(url => new URL(url).pathname !== '/my-policy' && url.includes(sold.token))).toEqual([])
  const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
  for (const secret of [sold.token, 'Ana', sold.number]) expect(stored).not.toContain(secret)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a client withdraws by the keyboard alone, in another language', async () => {
  const sold = await sellTo(app, seller, distance)
  const user = await portal.newUser({ chosen: 'fr-FR' })
  const page = await shown(user, sold.token)
  await picture(page, 'fr-1440')
  await page.getByRole('button', { name: t('client.withdraw_here', 'fr-FR') }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[name=name]').waitFor()
  // The heading has the focus; name, number, address and the button follow.
  for (let field = 0; field < 4; field++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('client.withdraw_confirm', 'fr-FR') }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: t('client.received', 'fr-FR') }).waitFor()
  expect(await page.evaluate<string>('document.activeElement.textContent')).toContain(t('client.received', 'fr-FR'))
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a client opens a document and asks for a change', async () => {
  const sold = await sellTo(app, seller)
  const user = await portal.newUser({ width: 390, touch: true, locale: 'en-GB' })
  const page = await shown(user, sold.token)
  // In the policy's language, until the client chooses another.
  await page.getByRole('button', { name: t('client.change') }).waitFor()
  await page.getByRole('combobox').selectOption('pt-PT')
  await page.getByRole('button', { name: t('client.change', 'pt-PT') }).waitFor()
  await page.getByRole('combobox').selectOption('es-ES')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t('documents.certificate') }).click()
  expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.getByRole('button', { name: t('client.change') }).click()
  await fill(page, { description: 'Un día más,\npor favor' })
  await page.getByRole('button', { name: t('client.change_send') }).click()
  await page.getByText('Hemos recibido su solicitud').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a dead link leads to the form, which emails a new one to the known address', async () => {
  const sold = await sellTo(app, seller)
  const user = await portal.newUser({ width: 390, touch: true })
  const page = await shown(user, 'A'.repeat(22))
  await page.getByText(t('client.find_dead')).waitFor()
  await picture(page, 'es-390-find')
  const birthDate = page.locator('[name=birthDate]')
  await fill(page, { number: sold.number, docNumber: '12345678Z' })
  await birthDate.pressSequentially('31021990')
  await page.getByRole('button', { name: t('client.find_send') }).click()
  await page.getByText(t('client.find_birth_wrong')).waitFor()
  await birthDate.fill('')
  await birthDate.pressSequentially('05051990')
  await expectPage(birthDate).toHaveValue('05/05/1990')
  await page.getByRole('button', { name: t('client.find_send') }).click()
  await page.getByText(t('client.find_sent')).waitFor()
  const token = await tokenFor(app, sold.policyUuid)
  expect(token).not.toBe(sold.token)
  await page.goto(`/my-policy#${token}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText(sold.number).waitFor()
  await user.stop()
})
