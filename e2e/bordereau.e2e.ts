import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  const app = inProcess(portal.app)
  const at = async (instant: string) => expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
  await at('2026-11-10T10:00:00Z')
  const seller = await sellerOf(app)
  const sold = await sellAs(seller, { startDate: '2026-11-20', endDate: '2026-11-27' })
  await at('2026-11-21T10:00:00Z')
  const types = (await app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const claim = {
    typeUuid: types.find(({ name }: { name: string }) => name === 'Equipaje').uuid,
    policyNumber: sold.body.data.policyData.policyNumber,
    incidentDate: '2026-11-20',
    subject: 'Maleta perdida',
    description: 'No llegó.',
    contactEmail: 'ana@example.es',
    contactPhone: '+34 612 345 678',
  }
  expect((await app.ask('/api/tickets/claims', { body: claim, headers: seller.headers })).status).toBe(200)
  await at('2026-12-01T06:00:00Z')
  await closeMonths(app.world)
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')
const path = '/administration?tab=accounts&part=bordereaux'

async function openMonth(email: string, width = 1440) {
  const user = await portal.newUser({ chosen: 'es-ES', width })
  const { page } = user
  await enter(user, email, path)
  const row = page.locator('#main tr[tabindex]').first()
  await row.waitFor()
  await row.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('region', { name: 'noviembre de 2026' })
  await drawer.waitFor()
  return { user, page, drawer, row }
}

test('a bordereau is prepared by one administrator and released by another, by keyboard', async () => {
  const first = await openMonth('admin@portolan.example')
  const prepare = first.drawer.getByRole('button', { name: t('administration.bordereau_prepare') })
  await prepare.focus()
  await first.page.keyboard.press('Enter')
  // The toast is shown beside the drawer.
  const toast = first.page.locator('[data-toast]').filter({ hasText: t('administration.bordereau_asked') })
  await toast.waitFor()
  const [noticed, open] = [await toast.boundingBox(), await first.drawer.boundingBox()]
  expect((noticed?.x ?? 0) + (noticed?.width ?? 0)).toBeLessThanOrEqual(open?.x ?? 0)
  await first.drawer.getByText(t('administration.bordereau_own')).waitFor()
  const sums = first.drawer.getByRole('table').first()
  await expectPage(sums.getByText(t('administration.bordereau_equal')).filter({ visible: true })).toHaveCount(3)
  const makeup = first.drawer.getByRole('table', { name: t('administration.bordereau_makeup', { currency: 'EUR' }).slice(0, 8) })
  const amounts = await makeup.locator('tbody tr td:nth-child(2)').allInnerTexts()
  const cents = amounts.map(text =>
    Number(
      text
        .replace('−', '-')
        .replaceAll(/[^\d,-]/g, '')
        .replace(',', ''),
    ),
  )
  const [gross = 0, commission = 0, net = 0] = cents.slice(-3)
  expect(cents.slice(0, -3).reduce((sum, each) => sum + each, 0)).toBe(gross)
  expect(gross + commission).toBe(net)
  for (const id of ['bordereau_sums', 'bordereau_by_transaction', 'bordereau_makeup'] as const)
    await first.drawer.getByRole('heading', { level: 4, name: t(`administration.${id}`, { currency: 'EUR' }) }).waitFor()
  await expectPage(first.drawer.getByRole('button', { name: t('administration.bordereau_release') })).toHaveCount(0)
  expect(await accessibilityOf(first.page)).toEqual([])

  const second = await openMonth('admin2@portolan.example', 390)
  expect(await accessibilityOf(second.page)).toEqual([])
  const release = second.drawer.getByRole('button', { name: t('administration.bordereau_release') })
  await release.focus()
  await second.page.keyboard.press('Enter')
  const asked = second.page.getByRole('alertdialog')
  await asked.getByRole('button', { name: t('administration.bordereau_release') }).click()
  await second.drawer.getByText('Inés Robledo').waitFor()
  await expect.poll(() => second.page.evaluate(() => document.activeElement?.textContent?.includes('Inés Robledo'))).toBe(true)
  await expect.poll(() => second.page.evaluate(() => document.activeElement?.tagName)).toBe('DIV')
  // The premiums are released, so only the claims are left to prepare.
  const kind = second.drawer.getByLabel(t('administration.bordereau_kind'))
  await expectPage(kind.locator('option')).toHaveText([t('administration.bordereau_kind_claims')], { useInnerText: true })

  // The first administrator sees it without a click, and downloads the file.
  await first.drawer.getByText('Inés Robledo').waitFor()
  const download = first.page.waitForEvent('download')
  await first.drawer.getByRole('button', { name: 'bordereau.csv' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('2026-11-bordereau.csv')
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')[1]).toContain(',azahar,MER-TRV-01,ESS,18,TA,')

  // The second one prepares the claims; the first one sees their counts and releases them.
  await second.drawer.getByRole('button', { name: t('administration.bordereau_prepare') }).click()
  await first.drawer.getByRole('table', { name: t('administration.bordereau_claims') }).waitFor()
  expect(await accessibilityOf(first.page)).toEqual([])
  await first.drawer.getByRole('button', { name: t('administration.bordereau_release') }).click()
  await first.page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('administration.bordereau_release') })
    .click()
  await first.page
    .locator('[data-toast]')
    .filter({ hasText: t('administration.bordereau_was_released') })
    .waitFor()
  const claimsDownload = first.page.waitForEvent('download')
  await first.drawer.getByRole('button', { name: 'claims.csv' }).click()
  const claims = await claimsDownload
  expect(claims.suggestedFilename()).toBe('2026-11-claims.csv')
  expect((await readFile(await claims.path(), 'utf8')).split('\r\n')[1]).toContain(',azahar,MER-TRV-01,ESS,18,TA,')
  await expectPage(first.drawer.getByRole('button', { name: t('administration.bordereau_prepare') })).toHaveCount(0)
  for (const { user } of [first, second]) {
    expect(user.problems).toEqual([])
    await user.stop()
  }
})
