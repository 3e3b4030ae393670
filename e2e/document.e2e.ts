import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { pdf } from '#server/kit/upload/testing.ts'
import { ana, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { sendForm } from '#server/tickets/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, saveQuote } from './browser.ts'
import { expectPage } from './expect-page.ts'

// A document of the policyholder, from step 2 to the policy.

let portal: Portal
let seller: Seller
beforeAll(async () => {
  portal = await openPortal()
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
const passport = { name: 'Pasaporte Ana.pdf', mimeType: 'application/pdf', buffer: pdf() }

const quoteOf = async (changes: Record<string, unknown> = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, users: [{ ...ana, ...reach }], paxNumber: 1, ...changes })).body.data.policyUuid

test('a document is added in step 2, kept over a reload, sold with the policy and downloaded from it', { tags: 'S3.6' }, async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', `/funnel?copy=${await quoteOf({ buReference: null })}`)
  await page.waitForURL(/step=2$/)
  await page.getByRole('button', { name: t('funnel.holder.more') }).press('Enter')
  const field = page.locator('input[name=uploadFile]')
  const files = page.getByRole('list', { name: t('funnel.uploadFile') })
  const next = page.getByRole('button', { name: t('funnel.next_payment') })

  // A refused file says so in its row and, when the form is sent, at its field.
  await field.setInputFiles({ ...passport, buffer: Buffer.from('<script>alert(1)</script>') })
  await files.locator('[data-state=refused]').waitFor()
  expect(await accessibilityOf(page), 'a refused document').toEqual([])
  await next.click()
  await page.locator('input[name=uploadFile][aria-invalid=true]:focus').waitFor()
  await page.getByText(t('upload.unfinished')).waitFor()
  await page.getByRole('button', { name: t('ui.file.remove', { name: passport.name }) }).press('Enter')
  await expectPage(page.getByText(t('upload.unfinished'))).toHaveCount(0)

  await field.setInputFiles(passport)
  await files.locator('[data-state=there]').waitFor()
  expect(await accessibilityOf(page), 'a document').toEqual([])
  await page.reload()
  await files.locator('[data-state=there]').getByText(passport.name).waitFor()
  await next.click()
  await page.waitForURL(/step=3$/)
  await page.getByRole('definition').filter({ hasText: passport.name }).waitFor()
  await page.locator('[name=demandsAndNeeds]').check()
  await page.getByRole('button', { name: /^Vender por/ }).click()
  await page.locator('[data-policy-number]').waitFor()

  const [{ id } = { id: '' }] = await portal.app.world.database.asService(tx =>
    tx.selectFrom('policies').select('id').where('status', '=', 'purchased').execute(),
  )
  await page.goto(`/policies?policy=${id}`)
  await page.getByRole('heading', { name: t('policies.upload_file') }).waitFor()
  const link = page.getByRole('link', { name: passport.name })
  const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')])
  expect((await readFile(await download.path())).equals(passport.buffer)).toBe(true)
  await user.stop()
})

test('the document of a saved quote is restored with it, and removed in step 2', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  const { body } = await sendForm(inProcess(portal.app), seller, '/api/policy/files', {}, [
    { name: passport.name, content: passport.buffer },
  ])
  const policyUuid = await quoteOf({ uploadFile: body.data.uuid })
  await enter(user, 'agent@azahar.example', `/funnel?policy=${policyUuid}`)
  await page.waitForURL(/step=3$/)
  await page.goto('/funnel?step=2')
  const file = page.locator('[data-state=there]').getByText(passport.name)
  await file.waitFor()
  await page.getByRole('button', { name: t('ui.file.remove', { name: passport.name }) }).press('Enter')
  await expectPage(file).toHaveCount(0)
  await saveQuote(page, t('funnel.save_budget'))
  const detail = () => inProcess(portal.app).ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })
  await expect.poll(async () => (await detail()).body.data.uploadFile).toBeNull()
  await user.stop()
})
