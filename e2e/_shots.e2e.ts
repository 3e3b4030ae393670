import { afterAll, beforeAll, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { enter, inDays, openPortal, type Portal, seedAzahar, waitUntilLoaded } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 30)
})
afterAll(() => portal.stop())
const shot = async (page: any, name: string) => { await page.waitForTimeout(500); await page.screenshot({ path: `/tmp/desk/${name}.png`, animations: 'disabled' }) }

test('shots', async () => {
  const seller = await sellerOf(inProcess(portal.app))
  const sold = (await sellAs(seller, { startDate: readDate(inDays(11)), endDate: readDate(inDays(18)) })).body.data.policyData
  const lang = (process.env['SHOT_LANG'] ?? 'es-ES') as any
  const width = Number(process.env['SHOT_WIDTH'] ?? 1440)
  const dark = process.env['SHOT_DARK'] === '1'
  const tag = `${lang.slice(0, 2)}-${width}${dark ? '-dark' : ''}`
  const user = await portal.newUser({ chosen: lang, width, touch: width < 500 })
  const { page } = user
  page.setDefaultTimeout(15000)
  if (dark) await page.emulateMedia({ colorScheme: 'dark' })
  await enter(user, 'agent@azahar.example', `/policies?policy=${sold.policyUuid}`)
  await waitUntilLoaded(page)
  try {
    await shot(page, `policy-${tag}`)
    await page.goto(`/policies?policy=${sold.policyUuid}&desk=change`)
    await page.locator('[name=endDate]').waitFor()
    await page.locator('[name=endDate]').fill('+4')
    await page.locator('[name=endDate]').press('Tab')
    await shot(page, `change-${tag}`)
    await page.locator('[aria-pressed]').nth(1).click()
    await page.locator('[aria-pressed]').nth(2).click()
    await page.locator('[data-group=people] button[aria-expanded]').nth(1).click()
    await shot(page, `change-people-${tag}`)
    await page.locator('[name="users[1].name"]').fill('Eva')
    await page.locator('[name="users[1].docNumber"]').fill('87654321X')
    await shot(page, `change-swap-${tag}`)
    await page.keyboard.press('Control+Enter')
    await page.waitForTimeout(2500)
    await shot(page, `changed-${tag}`)
    await page.goto(`/policies?policy=${sold.policyUuid}&desk=cancel`)
    await page.locator('[name=reason]').first().waitFor()
    await page.locator('[name=reason]').first().check()
    await shot(page, `cancel-${tag}`)
    await page.goto(`/policies?policy=${sold.policyUuid}&desk=versions&with=1`)
    await page.locator('table').last().waitFor()
    await shot(page, `compare-${tag}`)
    await page.goto(`/policies?policy=${sold.policyUuid}&desk=versions&version=1`)
    await page.waitForTimeout(800)
    await shot(page, `version-${tag}`)
  } catch (error) {
    await shot(page, `failed-${tag}`)
    console.log(error)
  }
  console.log('problems', user.problems)
  await user.stop()
})
