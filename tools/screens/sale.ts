import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import { root } from '../processes.ts'
import type { Pictures } from './pictures.ts'

const width = 1080

/** Sells a week in Italy for two in the demo, in English, and takes a picture of each step. */
export async function photographSale(browser: Browser, pictures: Pictures, docs: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-screens-'))
  const demo = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'server/main.ts')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    if (!demo.stdout) throw new Error('the demo has no output')
    const origin = await originOf(createInterface({ input: demo.stdout }))
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: 'i18n_redirected', value: 'en-EN', url: origin }])
    const page = await context.newPage()
    const shoot = async (name: string): Promise<void> => {
      await page.locator('html:not(:has([aria-busy=true]))').waitFor()
      await page.mouse.move(0, 0)
      writeFileSync(join(docs, `sale/${name}.webp`), await pictures.webp(await page.screenshot({ animations: 'disabled' }), width))
    }
    await sell(page, shoot, join(docs, 'screenshot.png'))
    await photographCertificate(page, pictures, docs, folder)
    await context.close()
  } finally {
    demo.kill('SIGTERM')
    await once(demo, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function originOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line.startsWith('ready ')) return line.slice('ready '.length)
  throw new Error('the demo ended before it was ready')
}

async function sell(page: Page, shoot: (name: string) => Promise<void>, readme: string): Promise<void> {
  await page.goto('/auth/sign-in')
  await fill(page, { email: 'agent@azahar.example', password: 'portolan-demo' })
  await page.locator('[type=submit]').click()
  await page.locator('#main h1').waitFor()
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  await fill(page, { startDate: displayDate(start) ?? '', endDate: displayDate(addDays(start, 7)) ?? '', ages: '36, 38' })
  await choose(page, 'mainDestination', 'Italy')
  // Closes the list, which takes several countries.
  await page.keyboard.press('Tab')
  await page.locator('[name=priceTravel]').fill('2400')
  await page.locator('[name=reservationDate]').fill('today')
  await page.keyboard.press('Tab')
  await page.getByText('4 prices').waitFor()
  await page.locator('html:not(:has([aria-busy=true]))').waitFor()
  writeFileSync(readme, await page.screenshot({ animations: 'disabled' }))
  await shoot('products')

  await page.goto('/funnel')
  await page.locator('output[name=total]').waitFor()
  await shoot('trip')
  await page.getByRole('button', { name: /^Continue to/ }).click()

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
  // The postal code has found the city.
  while ((await page.locator('input[name=city]').inputValue()) === '') await page.waitForTimeout(50)
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

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text)
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`[name="${name}"]`).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

/** A browser draws no PDF into a picture, so this needs pdftoppm. Without it, the certificate's pictures stay as they are. */
async function photographCertificate(page: Page, pictures: Pictures, docs: string, folder: string): Promise<void> {
  const href = await page.getByRole('link', { name: /[Cc]ertificate/ }).getAttribute('href')
  const response = await page.request.get(href ?? '')
  const file = join(folder, 'certificate.pdf')
  writeFileSync(file, await response.body())
  try {
    execFileSync('pdftoppm', ['-r', '70', '-l', '2', '-png', file, join(folder, 'page')])
  } catch (error) {
    // Safe: execFileSync throws system errors, which have a code.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  for (const number of [1, 2])
    writeFileSync(join(docs, `sale/certificate-${number}.webp`), await pictures.webp(readFileSync(join(folder, `page-${number}.png`)), 579))
}
