import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Locale } from '#common/kit/locales.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { enter, fill, inDays, openPortal, type Portal, toPeople } from './browser.ts'
import { expectPage } from './expect-page.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'

// Sales by keyboard alone, with the number of keys, and the shortcuts.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: Locale) => portal.app.world.words(locale)
const focusOn = (page: Page, name: string) => page.locator(`[name="${name}"]:focus`).waitFor()

/** Types a trip above the products, and chooses the second suitable one, up to step 2. */
async function typeTrip(page: Page, { type, press }: Keyboard, ages: string): Promise<void> {
  await press('n')
  await focusOn(page, 'startDate')
  await type('+20')
  await press('Tab')
  await type('+7')
  await press('Tab', 'Tab')
  await type('ital')
  await page.getByRole('option', { name: 'Italia' }).waitFor()
  await press('Tab')
  await focusOn(page, 'ages')
  await type(ages)
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(27))
  await press('Enter')
  // The first product lacks the cost of the trip.
  await focusOn(page, 'priceTravel')
  await press('ArrowDown', 'Enter')
  await focusOn(page, 'zipCode')
}

async function buy(page: Page, { press }: Keyboard): Promise<string> {
  await focusOn(page, 'demandsAndNeeds')
  await press('Space', 'Control+Enter')
  return page.locator('[data-policy-number]').innerText()
}

const sold = () =>
  portal.app.world.database.asService(tx =>
    tx.selectFrom('policies').select(['number', 'taker']).where('status', '=', 'purchased').orderBy('id', 'desc').executeTakeFirst(),
  )

test('a couple is sold a policy by keyboard in 49 keys beyond names and numbers', async () => {
  const user = await portal.newUser()
  const { page } = user
  const keyboard = keyboardOf(page)
  const { client, press, counted } = keyboard
  /** Types each text into the next field, and skips a field for each empty text. */
  const typeFields = async (...texts: string[]) => {
    for (const text of texts) {
      await client(text)
      await press('Tab')
    }
  }
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, keyboard, '41 43')
  await client('28014')
  await expectPage(page.locator('[name=city]')).toHaveValue('Madrid')
  await press('Tab')
  await typeFields('Calle Mayor 1', 'marta@example.es', '', '+34 612 345 678')
  await typeFields('Marta', 'Vidal', 'Soler', '150385', '')
  await client('20000000m')
  await press('Enter')
  await typeFields('Jorge', 'Pérez', 'Ruiz', '220783', '')
  await focusOn(page, 'extraTravellers.0.docNumber')
  await client('30000000l')
  await press('Control+Enter')
  const number = await buy(page, keyboard)
  expect(await sold()).toEqual({ number, taker: 'Marta Vidal Soler' })
  const certificate = page.getByRole('link', { name: 'Certificado de seguro' })
  await certificate.waitFor()
  await page.keyboard.press('Tab')
  await certificate.and(page.locator(':focus')).waitFor()
  expect(counted.others).toBeLessThanOrEqual(49)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a known client is sold a policy by keyboard alone, in 32 keys', async () => {
  const user = await portal.newUser()
  const { page } = user
  const keyboard = keyboardOf(page)
  await sellAs(await sellerOf(inProcess(portal.app)))
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, keyboard, '36')
  await keyboard.press('/')
  await focusOn(page, 'knownClient')
  await keyboard.client('ana g')
  await page.getByRole('option').first().waitFor()
  await keyboard.press('ArrowDown', 'Enter')
  await expectPage(page.locator('[name=city]')).toHaveValue('Madrid')
  await keyboard.press('Control+Enter')
  const number = await buy(page, keyboard)
  expect(await sold()).toEqual({ number, taker: 'Ana García López' })
  expect(keyboard.counted.client + keyboard.counted.others).toBeLessThanOrEqual(32)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('keys belong to the field, list or dialog in which they are typed', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = wordsIn('es-ES')
  await enter(user, 'agent@azahar.example', '/policies')
  const search = page.locator('main [type=search]')
  await search.waitFor()
  await page.keyboard.press('/')
  await search.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('n?/p')
  await expectPage(search).toHaveValue('n?/p')
  expect(page.url()).toMatch(/\/policies/)
  // This page has no control for the shortcuts with Control.
  await page.keyboard.press('Control+Enter')
  await search.fill('')
  // A letter in the browser's own list is no shortcut either.
  const own = page.locator('main select').first()
  await own.focus()
  await page.keyboard.press('n')
  await own.and(page.locator(':focus')).waitFor()
  expect(page.url()).toMatch(/\/policies/)
  await page.getByRole('link', { name: t('shell.menu.home') }).click()
  await page.getByRole('heading', { level: 1, name: t('products.title') }).waitFor()
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  expect(page.url()).toMatch(/\/products/)
  await page.getByRole('link', { name: t('shell.menu.funnel'), exact: true }).click()
  // Both pages have the fields of the trip.
  await page.getByRole('heading', { level: 1, name: t('funnel.step1') }).waitFor()
  await focusOn(page, 'startDate')

  // An incomplete trip focuses the first missing field.
  await page.locator('[name=ages]').focus()
  await page.keyboard.press('Enter')
  await page.locator('[name=startDate][aria-invalid=true]:focus').waitFor()
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.getByRole('option', { name: 'Italia' }).waitFor()
  // Behind a dialog the keys do nothing.
  await page.keyboard.press('Control+k')
  await page.locator('[name=palette]:focus').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+Shift+Enter')
  await page.keyboard.press('Escape')
  await page.locator('[name=palette]').waitFor({ state: 'detached' })
  await expectPage(page).not.toHaveURL(/step=2/)
  await page.locator('[name=mainDestination]').fill('ital')
  await page.getByRole('option', { name: 'Italia' }).waitFor()
  await page.keyboard.press('Tab')
  await toPeople(page)
  await focusOn(page, 'zipCode')
  // The portal leaves the key of a link to the browser. No page is opened here, as its focus would take the next keys.
  await page.getByRole('link', { name: t('funnel.step1'), exact: true }).focus()
  await page.evaluate(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return
      document.body.dataset['left'] = String(!event.defaultPrevented)
      event.preventDefault()
      removeEventListener('keydown', leave)
    }
    addEventListener('keydown', leave)
  })
  await page.keyboard.press('Control+Enter')
  await page.locator('body[data-left=true]').waitFor()
  // Empty fields are counted from the start, and not marked, as the form was not sent.
  await page.getByText(t('funnel.missing', { count: 11 })).waitFor()
  await expectPage(page.locator('[aria-invalid=true]')).toHaveCount(0)
  await page.locator('[name=name]').fill('Ana')
  await page.keyboard.press('Control+Shift+Enter')
  await page.getByRole('dialog').locator('input').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  await page.getByText(t('funnel.saved')).waitFor()
  // Until the quote's panel takes the focus, it is still in a field of the sale.
  await page.locator('[data-panel] h2:focus').waitFor()
  // The keys without Control can be switched off in their help.
  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await help.getByRole('switch').uncheck()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('#main h1').waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+K')
  // The palette is the only dialog, as the help did not open before it.
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await expectPage(page.getByRole('dialog')).toHaveCount(1)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('short dates, surnames and phones are completed, and Enter does so first', async () => {
  const user = await portal.newUser()
  const { page } = user
  // Short dates left before the code that reads them is loaded are completed in order.
  const held: Route[] = []
  await page.route('**/assets/dates-*.js', route => void held.push(route))
  await enter(user, 'agent@azahar.example', '/funnel')
  await page.locator('[name=startDate]').focus()
  await page.keyboard.type('+20')
  await page.locator('[name=endDate]').focus()
  await page.keyboard.type('+7')
  await page.locator('[name=mainDestination]').focus()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await expectPage(page.locator('[name=endDate]')).toHaveValue('+7')
  for (const route of held) await route.continue()
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(27))
  await expectPage(page.locator('[name=startDate]')).toHaveValue(inDays(20))
  await fill(page, { mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await fill(page, { ages: '40 38', endDate: '+7' })
  await page.keyboard.press('Enter')
  await focusOn(page, 'priceTravel')
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(27))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await focusOn(page, 'zipCode')
  const surname = page.locator('[name="extraTravellers.0.middleName"]')
  await surname.focus()
  await expectPage(surname).toHaveAttribute('placeholder', '')
  await page.keyboard.press('ArrowDown')
  await expectPage(surname).toHaveValue('')
  await fill(page, { middleName: 'García', lastName: 'López' })
  await surname.focus()
  await expectPage(surname).toHaveAttribute('placeholder', 'García ↓')
  await page.keyboard.press('ArrowDown')
  await expectPage(surname).toHaveValue('García')
  await expectPage(page.locator('[name="extraTravellers.0.lastName"]')).toHaveValue('López')
  // A typed surname is not replaced.
  await surname.fill('Pérez')
  await page.keyboard.press('ArrowDown')
  await expectPage(surname).toHaveValue('Pérez')
  // The surname of a policyholder who does not travel is offered to the first traveller.
  await page.getByText(wordsIn('es-ES')('funnel.type.not'), { exact: true }).click()
  await fill(page, { policyHolderSurname: 'Gil', middleName: '' })
  await page.locator('[name=middleName]').focus()
  await expectPage(page.locator('[name=middleName]')).toHaveAttribute('placeholder', 'Gil ↓')

  await page.locator('[name=phoneNumber]').fill('0033 6 12 34 56 78')
  await page.keyboard.press('Enter')
  await expectPage(page.locator('[name=phonePrefix]')).toHaveValue('+33')
  await expectPage(page.locator('[name=phoneNumber]')).toHaveValue('612345678')
  await fill(page, { phonePrefix: '', phoneNumber: '600 111 222' })
  await page.keyboard.press('Tab')
  await expectPage(page.locator('[name=phonePrefix]')).toHaveValue('+34')
  await expectPage(page.locator('[name=phoneNumber]')).toHaveValue('600111222')
  // The field of the prefix comes first, and also accepts a whole phone.
  await fill(page, { phoneNumber: '', phonePrefix: '+351 912 345 678' })
  await page.keyboard.press('Tab')
  await expectPage(page.locator('[name=phonePrefix]')).toHaveValue('+351')
  await expectPage(page.locator('[name=phoneNumber]')).toHaveValue('912345678')
  // A number that is already there is not replaced.
  await fill(page, { phonePrefix: '+34 600 111 222' })
  await page.keyboard.press('Tab')
  await page.locator('[name=phonePrefix][aria-invalid=true]').waitFor()
  await expectPage(page.locator('[name=phoneNumber]')).toHaveValue('912345678')
  await expectPage(page.locator('[name=phonePrefix]')).toHaveValue('+34 600 111 222')
  // One problem is shown once.
  await page.getByText(wordsIn('es-ES')('validation.invalidPhonePrefix')).waitFor()
  await expectPage(page.locator('[name=phoneNumber][aria-invalid=true]')).toHaveCount(0)
  await fill(page, { phoneNumber: '', phonePrefix: '600 111 222' })
  await page.keyboard.press('Tab')
  await expectPage(page.locator('[name=phonePrefix]')).toHaveValue('+34')
  await expectPage(page.locator('[name=phoneNumber]')).toHaveValue('600111222')
  expect(user.problems).toEqual([])
  await user.stop()
})
