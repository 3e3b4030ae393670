import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { openScreen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { checkCode } from '#server/documents/pdf/parts.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

// The pages without a session: verifying a certificate, and a person's copy of their data, whose link may be dead.

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const sold = async () => (await sellAs(seller)).body.data.policyData
const pathOf = (id: string, number: string, edition: number): string =>
  `/verify?${new URLSearchParams({ number, code: checkCode({ id, number, edition }) })}`

test('a certificate is verified in the visitor’s language', async () => {
  const { policyUuid, policyNumber } = await sold()
  const page = await openScreen(app, pathOf(policyUuid, policyNumber, 1), undefined, { language: 'pt-PT' })
  await page.getByText(`A apólice ${policyNumber} é autêntica`).waitFor()
  await page.getByLabel('Código de controlo').fill('AAAAA-AAAAA')
  await page.keyboard.press('Enter')
  await page.getByText('Não há nenhum certificado').waitFor()
})

test('an outdated certificate is shown as replaced, later as cancelled, with an icon', async () => {
  const { policyUuid, policyNumber } = await sold()
  const post = async (path: string, body: object) => {
    const reply = await app.ask(`/api/policy/${path}`, { body: { policyUuid, ...body }, headers: seller.headers })
    expect(reply.status).toBe(200)
    return reply.body.data
  }
  const change = { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }
  const { difference } = await post('change/preview', { version: 1, change })
  await post('change', { version: 1, change, expectedDifference: difference.total })
  const page = await openScreen(app, pathOf(policyUuid, policyNumber, 1))
  const result = page.locator('main').getByRole('status')
  await result.getByText('rige la versión 2').waitFor()
  await expectScreen(result.locator('svg')).toHaveCount(1)
  await page.goto(pathOf(policyUuid, policyNumber, 2))
  await page.reload()
  await result.getByText('es auténtica y válida').waitFor()
  await post('cancel', { version: 2, expectedRefund: 50.84, reason: 'trip_cancelled' })
  await page.reload()
  await result.getByText('está anulada').waitFor()
})

test('a dead link focuses its message, and another link in the same tab starts anew', async () => {
  const t = app.world.words('es-ES')
  const page = await openScreen(app, '/my-data#AAAAAAAAAAAAAAAAAAAAAA')
  const button = page.getByRole('button', { name: t('copy.get') })
  await button.press('Enter')
  await page.getByText(t('copy.dead')).waitFor()
  await expect.poll(() => document.activeElement?.tagName).toBe('OUTPUT')
  await page.goto('/my-data#BBBBBBBBBBBBBBBBBBBBBB')
  await button.waitFor()
  await expectScreen(page.getByText(t('copy.dead'))).toHaveCount(0)
})
