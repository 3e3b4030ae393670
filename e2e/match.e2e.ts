import { readFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from './browser.ts'

let portal: Portal
let policy: { policyNumber: string; total: number }
beforeAll(async () => {
  portal = await openPortal()
  policy = (await sellAs(await sellerOf(inProcess(portal.app)))).body.data.policyData
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')

test('an accountant compares a workbook of the agency with the month, also on a phone', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings')
  await page.getByRole('button', { name: t('match.button') }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('match.title') })
  const input = dialog.locator('[name=matchFile]')
  await input.setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;2') })
  await dialog.getByText(t('match.fault.columns')).waitFor()
  const rows = [
    ['Nº de póliza', 'Prima'],
    [policy.policyNumber, policy.total + 1],
    ['OTRA-1', 12.5],
    ['OTRA-2', '9 USD'],
  ]
  const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'Lista', rows }] }))
  await input.setInputFiles({ name: 'lista.xlsx', mimeType: 'application/octet-stream', buffer })
  await dialog.getByText(t('match.counts', { matched: 0, differs: 1, here: 2, there: 0 })).waitFor()
  await expect.poll(() => dialog.getByRole('link', { name: policy.policyNumber }).getAttribute('href')).toContain('/policies?policy=')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await dialog
      .getByText(t('match.other_currency', { other: 'USD', currency: 'EUR' }))
      .filter({ visible: true })
      .waitFor()
    await expect.poll(() => dialog.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    expect(await accessibilityOf(page)).toEqual([])
  }
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: t('match.save') }).click()
  const saved = await readFile(await (await download).path(), 'utf8')
  expect(
    saved
      .split('\r\n')
      .slice(1)
      .map(line => line.split(';').slice(0, 6)),
  ).toEqual([
    [policy.policyNumber, expect.any(String), 'Difiere', expect.any(String), expect.any(String), '1'],
    ['OTRA-1', '', 'No está aquí', '', '12,5', '12,5'],
    ['OTRA-2', '', `"No está aquí · ${t('match.other_currency', { other: 'USD', currency: 'EUR' })}"`, '', '9', ''],
  ])
  expect(user.problems).toEqual([expect.stringContaining('422')])
  await user.stop()
})
