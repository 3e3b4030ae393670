import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, fieldsOf, openScreen, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { askClient } from '#server/client/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, deleteAs, leo, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'

// A saved quote is sent with others and a message, its link is copied, and its panel says what the client did.

const agent = 'agent@azahar.example'
let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const t = () => app.world.words('es-ES')
const save = async (changes: object = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, ...changes })).body.data.policyUuid
const drawerOf = (page: Screen) => page.locator('[data-panel]')
const dialogOf = (page: Screen) => page.locator('dialog[open]')

async function openDialog(policyUuid: string): Promise<Screen> {
  const page = await openScreen(app, `/policies/saved?policy=${policyUuid}`, agent)
  await drawerOf(page)
    .getByRole('button', { name: t()('policies.send') })
    .first()
    .click()
  await dialogOf(page).locator('[name=message]').waitFor()
  return page
}

test('a quote is sent with another of the same policyholder and a message', async () => {
  // Another policyholder's name contains this one.
  await save({ users: [{ ...leo, ...reach, name: 'Ana García López', docNumber: '87654321X' }, ana], buReference: 'Ajena' })
  const [one] = [await save(), await save({ buReference: 'Segunda' })]
  const page = await openDialog(one)
  const dialog = dialogOf(page)
  await dialog.getByLabel(/Segunda/).check()
  await expectScreen(dialog.getByLabel(/Ajena/)).toHaveCount(0)
  await dialog.locator('[name=message]').fill('Como hablamos')
  const requests: Record<string, unknown>[] = []
  answer(page, '/api/policy/sendCertificates', (init, send) => {
    requests.push(fieldsOf(init))
    return send()
  })
  await dialog.getByRole('button', { name: t()('policies.send'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(requests).toMatchObject([{ policyUuid: one, alternatives: [expect.any(String)], message: 'Como hablamos' }])
})

test('the key O opens the dialog with the link, from a row, the details and a selection, and is text in a field', async () => {
  const policyUuid = await save({ buReference: 'Con tecla' })
  const page = await openScreen(app, '/policies/saved', agent)
  const message = dialogOf(page).locator('[name=message]')
  const close = async () => {
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
  }
  const row = page.locator('tbody tr', { hasText: 'Con tecla' })
  await row.focus()
  await page.keyboard.press('o')
  await message.waitFor()
  await expectScreen(dialogOf(page).locator('[name=files]').first()).toBeChecked()
  await dialogOf(page).getByText(reach.email).waitFor()
  await close()
  await page.waitForURL(new RegExp(`policy=${policyUuid}$`))
  await drawerOf(page).locator('h2').focus()
  await page.keyboard.press('o')
  await message.waitFor()
  await close()
  await page.locator('[name=searchData]').focus()
  await page.keyboard.press('o')
  await expectScreen(dialogOf(page)).toHaveCount(0)
  await page.goto('/policies/saved')
  await row.locator('[type=checkbox]').check()
  await page.locator('[data-selected]').waitFor()
  await page.keyboard.press('o')
  await message.waitFor()
})

test('the palette sends the open quote with its link', async () => {
  const policyUuid = await save()
  const page = await openScreen(app, `/policies/saved?policy=${policyUuid}`, agent)
  await drawerOf(page).getByText(t()('policies.price_until')).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[name=palette]').fill('enlace')
  await page.getByRole('option', { name: t()('keys.offer') }).click()
  await dialogOf(page).locator('[name=message]').waitFor()
})

test.each(['policies.send', 'share.copy'] as const)('a quote that cannot be sent with another is refused at its box (%s)', async button => {
  const users = [{ ...ana, ...reach, name: button === 'share.copy' ? 'Rosa' : 'Berta' }]
  const other = await save({ users, paxNumber: 1, buReference: 'Marbella' })
  const page = await openDialog(await save({ users, paxNumber: 1 }))
  const dialog = dialogOf(page)
  const box = dialog.getByLabel(/Marbella/)
  await box.check()
  await deleteAs(seller, other)
  await dialog.getByRole('button', { name: t()(button), exact: true }).click()
  await dialog.getByText(t()('policies.alternative')).waitFor()
  await expectScreen(dialog.locator('[name=alternatives][aria-invalid=true]:focus')).toHaveCount(1)
  await expectScreen(dialog.getByText(t()('policies.not_sent', { count: 1 }))).toHaveCount(0)
  await box.click()
  await expectScreen(dialog.getByText(t()('policies.alternative'))).toHaveCount(0)
  await dialog.getByRole('button', { name: t()('policies.send'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('the link is copied, and the panel says what the client did and ends it', async () => {
  const policyUuid = await save()
  const page = await openDialog(policyUuid)
  const copied: string[] = []
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => (copied.push(text), Promise.resolve()) },
  })
  await dialogOf(page)
    .getByRole('button', { name: t()('share.copy') })
    .click()
  await dialogOf(page).getByText('Copiado.').waitFor()
  const [url = ''] = copied
  await expectScreen(dialogOf(page).locator('[name=link]')).toHaveValue(url)
  const token = new URL(url).hash.slice(1)
  expect((await askClient(app, 'quote', { token })).status).toBe(200)
  await page.reload()
  const drawer = drawerOf(page)
  await drawer.getByText(t()('share.opened'), { exact: true }).waitFor()
  await drawer.getByRole('button', { name: t()('share.revoke') }).click()
  await drawer.getByText(t()('share.ended'), { exact: true }).waitFor()
  expect((await askClient(app, 'quote', { token })).status).toBe(404)
  await expectScreen(drawer.getByRole('button', { name: t()('share.revoke') })).toHaveCount(0)
})

test('the panel shows a decline with its reason', async () => {
  const policyUuid = await save()
  const { body } = await app.ask('/api/policy/quote-link', { body: { policyUuid }, headers: seller.headers })
  await askClient(app, 'quote/decline', { token: new URL(body.data.url).hash.slice(1), name: 'Ana', reason: 'too_dear' })
  const page = await openScreen(app, `/policies/saved?policy=${policyUuid}`, agent)
  await drawerOf(page)
    .getByText(t()('share.decision', { decision: 'declined' }))
    .first()
    .waitFor()
  await drawerOf(page)
    .getByText(t()('share.reason', { reason: 'too_dear' }))
    .waitFor()
  await expectScreen(drawerOf(page).getByRole('button', { name: t()('share.revoke') })).toHaveCount(0)
})
