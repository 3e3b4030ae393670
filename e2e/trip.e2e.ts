import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { enter, inDays, openPortal, type Portal, type User } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
const totalOf = ({ page }: User) => page.locator('output[name=total]').innerText()

/** Fills in a week in Italy, about three weeks from now. */
async function fillTrip({ page }: User): Promise<void> {
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Enter')
  await page.getByText(words()('funnel.confirmed')).waitFor()
}

test('a saved quote is resumed at its new price', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(user)
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.locator('[name=name]').fill('Ana')
  await page.locator('[name=middleName]').fill('García')
  await page.getByRole('button', { name: t('funnel.save_budget') }).click()
  await page.waitForURL(/\/policies\/saved\?policy=/)
  const policy = new URL(page.url()).searchParams.get('policy') ?? ''

  await portal.app.world.database.asService(tx => tx.updateTable('policies').set({ total_cents: 100 }).where('id', '=', policy).execute())
  await page.goto(`/funnel?policy=${policy}`)
  await page.waitForURL(/\/funnel\?step=2$/)
  await page.getByText(t('funnel.take_up.resumed', { taker: 'Ana García' })).waitFor()
  expect(await page.locator('[name=middleName]').inputValue()).toBe('García')
  expect(await page.getByText(t('funnel.take_up.price_changed', { before: '1,00 €', now: await totalOf(user) })).count()).toBe(1)
  await page.reload()
  await page.getByRole('button', { name: t('funnel.accept_price') }).click()
  expect(await page.getByRole('button', { name: t('funnel.accept_price') }).count()).toBe(0)

  const past = today(new Date(), 'Europe/Madrid')
  await portal.app.world.database.asService(tx =>
    tx
      .updateTable('policies')
      .set({ start_date: addDays(past, -9), end_date: addDays(past, -2) })
      .where('id', '=', policy)
      .execute(),
  )
  await page.goto(`/funnel?policy=${policy}`)
  // Replacing the current sale asks first.
  await page.getByRole('button', { name: t('funnel.take_up.resume') }).click()
  await page.waitForURL(/\/funnel\?step=1$/)
  await page.getByText(t('funnel.take_up.passed', { from: inDays(-9), to: inDays(-2) })).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a destination that the service refuses keeps step 1 and shows its message in a window', { tags: 'S8.1' }, async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(user)
  // The form refuses North Korea by itself, so the destination is changed on its way to the service.
  await page.route('**/check-destination-coverage', route =>
    route.continue({ postData: { ...route.request().postDataJSON(), countriesDestinationId: '408' } }),
  )
  const answered = page.waitForResponse('**/check-destination-coverage')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  const { errorMessage } = await (await answered).json()
  expect(errorMessage).toContain('Corea del Norte')
  const alert = page.getByRole('alertdialog')
  await alert.getByText(errorMessage, { exact: true }).waitFor()
  await alert.getByRole('button', { name: t('ui.alert.error.accept') }).click()
  await alert.waitFor({ state: 'detached' })
  expect(await page.locator('[name=startDate]').inputValue()).toBe(inDays(20))
  await page.unroute('**/check-destination-coverage')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.waitForURL(/\/funnel\?step=2$/)
  await user.stop()
})

test('birth dates from step 1 set the price and fill step 2', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(user)
  const usual = await totalOf(user)
  await page.getByRole('button', { name: t('funnel.ages') }).click()
  await page.locator('[name="birthDates.0.date"]').fill('15/01/1951')
  await expect.poll(() => totalOf(user)).not.toBe(usual)
  // A traveller added later has a birth date, too.
  const alone = await totalOf(user)
  await page.locator('[name=travelers]').fill('2')
  await page.locator('[name="birthDates.1.date"]').fill('15/01/1952')
  await expect.poll(() => totalOf(user)).not.toBe(alone)
  const exact = await totalOf(user)
  await page.getByText(t('funnel.confirmed')).waitFor()
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  expect(await page.locator('[name=birthDate]').inputValue()).toBe('15/01/1951')
  expect(await page.locator('[name="extraTravellers.0.birthDate"]').inputValue()).toBe('15/01/1952')
  expect(await totalOf(user)).toBe(exact)
  // The latest input applies to both steps.
  await page.locator('[name=birthDate]').fill('15/01/1990')
  await expect.poll(() => totalOf(user)).not.toBe(exact)
  await page.goBack()
  await page.waitForURL(/funnel(?:\?step=1)?$/)
  expect(await page.locator('[name="birthDates.0.date"]').inputValue()).toBe('15/01/1990')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('starting over clears the form at once and can be undone', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  const startOver = page.getByRole('button', { name: t('funnel.start_over') })
  await page.locator('[name=startDate]').waitFor()
  expect(await startOver.count()).toBe(0)
  await fillTrip(user)
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.locator('[name=name]').fill('Ana')
  await startOver.click()
  await page.waitForURL(/step=1$/)
  await page.locator('[name=startDate]').waitFor()
  expect(await page.locator('[name=startDate]').inputValue()).toBe('')
  await page.getByRole('button', { name: t('funnel.undo') }).click()
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
  expect(await page.locator('[name=name]').inputValue()).toBe('Ana')
  // Undo is offered until the next sale begins, which it would overwrite.
  await startOver.click()
  await page.getByRole('button', { name: t('funnel.undo') }).waitFor()
  await page.locator('[name=startDate]').fill(inDays(30))
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('funnel.undo') }).waitFor({ state: 'detached' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a user without the selling permission sees a notice', async () => {
  const user = await portal.newUser()
  await enter(user, 'viewer@azahar.example', '/funnel')
  await user.page.getByText(words()('funnel.no_selling')).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a tariff refusal is explained, and a copied surname is no longer missing', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  const surname = page.locator('[name="extraTravellers.0.middleName"]')
  await enter(user, 'agent@azahar.example', '/funnel')
  await page.locator('[name=travelers]').fill('300')
  await page.locator('[name=startDate]').focus()
  await page.getByText(/asegura de 1 a \d+ viajeros; ha pedido 300/).waitFor()
  await page.locator('[name=travelers]').fill('2')
  await fillTrip(user)
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.locator('[name="extraTravellers.0.middleName"][aria-invalid=true]').waitFor()
  await page.locator('[name=middleName]').fill('García')
  await page.locator('[name=lastName]').fill('López')
  await page.getByRole('button', { name: t('funnel.extra.copy_surname') }).click()
  await page.locator('[name="extraTravellers.0.middleName"]:not([aria-invalid=true])').waitFor()
  expect(await surname.inputValue()).toBe('García')
  await page.locator('[name=phoneNumber]').fill('612 34-56.78')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator('[name=phoneNumber]').inputValue()).toBe('612345678')
  expect(user.problems).toEqual([])
  await user.stop()
})
