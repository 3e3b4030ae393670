import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { today } from '#common/kit/dates.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { inProcess } from '#server/kit/testing.ts'
import { registerAs, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  const seller = await sellerOf(inProcess(portal.app))
  const { policyUuid, total } = (await sellAs(seller)).body.data.policyData
  await sellAs(seller)
  await registerAs(seller, { saveBudget: true })
  const cancelled = await inProcess(portal.app).ask('/api/policy/cancel', {
    headers: seller.headers,
    body: { policyUuid, version: 1, expectedRefund: total, reason: 'trip_cancelled' },
  })
  expect(cancelled.status, cancelled.text).toBe(200)
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')
const thisMonth = today(new Date(), 'Europe/Madrid').slice(0, 7)

test('the rates of three months are shown by keyboard, and their table is saved as CSV', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings?period=quarter')
  await expect.poll(() => figure(page, 'accounting.conversion')).toBe('66,7\u00a0%')
  await expect.poll(() => figure(page, 'accounting.refund_rate')).toBe('50\u00a0%')
  await page.getByRole('tab', { name: t('accounting.by_product') }).focus()
  for (let tab = 0; tab < 4; tab++) await page.keyboard.press('ArrowRight')
  const rows = page.getByRole('tabpanel').first().getByRole('row')
  await expect.poll(async () => (await rows.allTextContents()).length).toBe(4)
  expect((await rows.nth(1).locator('td').allTextContents()).slice(1)).toEqual(['2', '66,7\u00a0%'])
  await expectPage(rows.nth(2).locator('td')).toHaveText(['0', '0', '–'])
  await expect
    .poll(() =>
      page
        .getByRole('img', { name: t('accounting.conversion_picture') })
        .locator('text')
        .allTextContents(),
    )
    .toContain('67')
  const saved = await saveFile(page, 'table')
  expect(saved.suggestedFilename()).toMatch(new RegExp(` ${thisMonth} ${t('accounting.conversion')}\\.csv$`))
  const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe(`\uFEFF${(['by_month', 'quotes', 'sold', 'conversion'] as const).map(id => t(`accounting.${id}`)).join(';')}`)
  expect(lines.slice(1).map(line => line.split(';').slice(1))).toEqual([
    ['3', '2', '0,6667'],
    ['0', '0', ''],
    ['0', '0', ''],
  ])
  // Amounts have the currency's name; the chart has its sign.
  await page.getByRole('img', { name: t('accounting.picture', { currency: '€' }) }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: t('accounting.by_month'), exact: true }).click()
  await page.getByRole('img', { name: t('accounting.picture', { currency: '€' }) }).waitFor()
  const months = (await readFile(await (await saveFile(page, 'table')).path(), 'utf8')).split('\r\n')
  expect(months.map(line => line.split(';').at(-1))).toEqual([t('accounting.currency'), 'EUR', 'EUR', 'EUR'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a chart is saved as PNG, in the colours and the font of the page', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings?period=quarter&by=refunds')
  await page.getByRole('cell', { name: '50\u00a0%' }).waitFor()
  const saved = await saveFile(page, 'chart')
  expect(saved.suggestedFilename()).toMatch(new RegExp(` ${thisMonth} ${t('accounting.refunds')}\\.png$`))
  const picture = (await readFile(await saved.path())).toString('base64')
  const blank = await portal.browser.newPage()
  const { width, height, colours } = await blank.evaluate<Decoded>(`(${decodeInPage})(${JSON.stringify(picture)})`)
  await blank.close()
  // Four pixels per unit: 240 by 116, and the margins around.
  expect(width).toBeGreaterThanOrEqual(4 * 268)
  expect(height).toBe(4 * 178)
  const bars = page.getByRole('img', { name: t('accounting.refunds_picture') }).locator('rect')
  const colourOf = (index: number) => bars.nth(index).evaluate(bar => getComputedStyle(bar).fill)
  // The background, and the bar of this month, in which half of the payments were refunded.
  expect(colours['rgb(255, 255, 255)']).toBeGreaterThan(width * height * 0.5)
  expect(colours[await colourOf(2)]).toBeGreaterThan(10_000)
  expect(colours[await colourOf(0)]).toBeGreaterThan(100)
  // Its name is drawn as on the page, not in the font of a picture outside the page.
  const name = t('accounting.refunds_picture')
  const differs = (font: string) => page.evaluate<number>(`(${differenceOfName})(${JSON.stringify({ picture, name, font })})`)
  await expect.poll(() => differs('600 48px "Portolan Sans"')).toBe(0)
  await expect.poll(() => differs('600 48px sans-serif')).toBeGreaterThan(0.05)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a single month has no chart, so only its table can be saved', async () => {
  const user = await portal.newUser({ chosen: 'es-ES', width: 390, touch: true })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings?by=conversion')
  await page.getByRole('cell', { name: '66,7\u00a0%' }).waitFor()
  await page.getByRole('button', { name: t('accounting.save') }).click()
  await expectPage(page.getByRole('menuitem')).toHaveText([t('accounting.save_file', { file: 'table' })])
  expect(await accessibilityOf(page)).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('rates that cannot be loaded leave the earnings unchanged, and can be retried', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await page.route('**/api/accounting/rates', route => route.abort())
  await enter(user, 'accounts@azahar.example', '/earnings?period=quarter&by=conversion')
  const failed = page.getByText(t('accounting.rates_failed'))
  await failed.waitFor()
  // A dash would mean that there is no rate.
  await expectPage(page.locator('dl').getByRole('button', { name: t('accounting.rates_failed') })).toHaveCount(2)
  await expect.poll(() => figure(page, 'accounting.deeds')).toBe('3')
  await page.unroute('**/api/accounting/rates')
  await page.getByRole('button', { name: t('shell.try_again') }).click()
  await page.getByRole('cell', { name: '66,7\u00a0%' }).waitFor()
  await expectPage(failed).toHaveCount(0)
  expect(user.problems.filter(problem => !problem.includes('ERR_FAILED'))).toEqual([])
  await user.stop()
})

const figure = (page: Page, id: PlainMessageId) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(t(id), { exact: true }) })
    .locator('dd')
    .textContent()

async function saveFile(page: Page, file: string): Promise<Download> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t('accounting.save') }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: t('accounting.save_file', { file }) }).press('Enter')
  return download
}

/** Returns the share of pixels by which the chart's name differs from the name in a font. */
const differenceOfName = `async ({ picture, name, font }) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), letter => letter.charCodeAt(0))]))
  const pixels = draw => {
    const context = new OffscreenCanvas(image.width, 104).getContext('2d')
    draw(context)
    return context.getImageData(0, 0, image.width, 104).data
  }
  const drawn = pixels(context => context.drawImage(image, 0, 0))
  const expected = pixels(context => {
    context.fillStyle = 'white'
    context.fillRect(0, 0, image.width, 104)
    Object.assign(context, { font, fillStyle: getComputedStyle(document.body).color }).fillText(name, 56, 88)
  })
  return drawn.filter((value, at) => Math.abs(value - expected[at]) > 48).length / drawn.length
}`

type Decoded = { width: number; height: number; colours: Record<string, number> }

/** Counts the pixels of each colour. */
const decodeInPage = `async text => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob())
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const colours = {}
  for (let at = 0; at < data.length; at += 4) {
    const colour = 'rgb(' + data[at] + ', ' + data[at + 1] + ', ' + data[at + 2] + ')'
    colours[colour] = (colours[colour] ?? 0) + 1
  }
  return { width, height, colours }
}`
