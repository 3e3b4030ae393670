import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import type { Demo } from './demo.ts'
import type { Pictures } from './pictures.ts'
import { fill, photographDocument, shooterOf } from './shoot.ts'
import { until } from '../until.ts'

/** Sells a week in Italy for two in the demo, in English, and takes a picture of each step. */
export async function photographSale(browser: Browser, pictures: Pictures, { origin, folder }: Demo, docs: string): Promise<void> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'i18n_redirected', value: 'en-EN', url: origin }])
  const page = await context.newPage()
  await sell(page, shooterOf(page, pictures, join(docs, 'sale')), join(docs, 'screenshot.png'))
  const href = await page.getByRole('link', { name: /[Cc]ertificate/ }).getAttribute('href')
  const certificate = await (await page.request.get(href ?? '')).body()
  await photographDocument(pictures, folder, certificate, [1, 2], join(docs, 'sale/certificate'))
  await context.close()
}

async function sell(page: Page, shoot: (name: string) => Promise<void>, readme: string): Promise<void> {
  await page.goto('/auth/sign-in')
  await fill(page, { email: 'agent@azahar.example', password: 'portolan-demo' })
  await page.locator('[type=submit]').click()
  await page.locator('#main h1').waitFor()
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  await fill(page, { startDate: displayDate(start) ?? '', endDate: displayDate(addDays(start, 7)) ?? '', ages: '36, 38' })
  await choose(page, 'mainDestination', 'Italy')
  // Closes the list, which accepts several countries.
  await page.keyboard.press('Tab')
  await page.locator('[name=priceTravel]').fill('2400')
  await page.locator('[name=reservationDate]').fill('today')
  await page.keyboard.press('Tab')
  await page.getByText('5 prices').waitFor()
  await page.locator('html:not(:has([aria-busy=true]))').waitFor()
  writeFileSync(readme, await page.screenshot({ animations: 'disabled' }))
  await shoot('products')

  await page.goto('/funnel')
  const row = page.locator('[data-product]', { hasText: 'Essential Trip' })
  await row.click()
  await shoot('trip')
  await page.keyboard.press('Control+Enter')

  await page.waitForURL(/step=2/)
  await page.locator('[name=name]').waitFor()
  await fill(page, {
    address: 'Calle Mayor 1',
    email: 'ana@example.com',
    phoneNumber: '612345678',
    name: 'Ana',
    middleName: 'García',
    lastName: 'López',
    documentNumber: '12345678Z',
    birthDate: '15/01/1990',
    'extraTravellers.0.name': 'Leo',
    'extraTravellers.0.middleName': 'García',
    'extraTravellers.0.lastName': 'Gil',
    'extraTravellers.0.docNumber': 'X1234567L',
    'extraTravellers.0.birthDate': '01/02/1988',
  })
  await fill(page, { zipCode: '46600' })
  // The postal code has filled in the city.
  await until('the city of the postal code', () => page.locator('input[name=city]').inputValue())
  await page.locator('[name=address]').focus()
  await page.locator('[name=province]').and(page.locator('input')).waitFor()
  await shoot('people')
  await page.getByRole('button', { name: /^Continue to/ }).click()

  await page.waitForURL(/step=3/)
  await page.locator('[name=documentsGiven], [type=checkbox]').first().waitFor()
  for (const box of await page.locator('#main [type=checkbox]').all()) await box.check()
  await shoot('payment')
  await page.getByRole('button', { name: /^Sell for/ }).click()
  await page.getByText('Policy issued').first().waitFor()
  await page.getByRole('link', { name: /[Cc]ertificate/ }).waitFor()
  await shoot('sold')
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`[name="${name}"]`).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}
