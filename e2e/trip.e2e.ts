import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addYears, displayDate, readDate, today } from '#common/kit/dates.ts'
import { enter, inDays, openPortal, type Portal, saveQuote, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
/** Returns the birth date of someone of this age when the trip of `fillTrip` starts. */
const bornFor = (age: number): string => displayDate(addYears(readDate(inDays(20)) ?? '', -age)) ?? ''
const totalOf = ({ page }: User) => page.locator('output[name=total]').innerText()

/** Fills in a week in Italy, about three weeks from now. */
async function fillTrip({ page }: User): Promise<void> {
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Enter')
  await page.getByText(words()('funnel.provisional')).waitFor()
}

test('a saved quote is resumed at its new price', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(user)
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  // Missing fields are marked in their order, counted at the foot, and led to.
  await page.locator('[name=zipCode]:focus').waitFor()
  const wrong = 'zipCode province city address email phoneNumber name middleName lastName birthDate documentNumber'.split(' ')
  const marked = page.locator('[aria-invalid=true]')
  await expect.poll(() => marked.evaluateAll(fields => fields.map(field => field.getAttribute('name')))).toEqual(wrong)
  await page.locator('[name=name]').focus()
  await page.getByRole('button', { name: t('funnel.mend', { count: wrong.length }) }).click()
  await page.locator('[name=zipCode]:focus').waitFor()
  await page.locator('[name=name]').fill('Ana')
  await page.locator('[name=middleName]').fill('García')
  await saveQuote(page, t('funnel.save_budget'))
  const policy = new URL(page.url()).searchParams.get('policy') ?? ''

  await portal.app.world.database.asService(tx => tx.updateTable('policies').set({ total_cents: 100 }).where('id', '=', policy).execute())
  await page.goto(`/funnel?policy=${policy}`)
  await page.waitForURL(/\/funnel\?step=2$/)
  await page.getByText(t('funnel.take_up.resumed', { policyholder: 'Ana García' })).waitFor()
  await expectPage(page.locator('[name=middleName]')).toHaveValue('García')
  // The notice follows the name.
  await page.locator('[name=middleName]').fill('Gil')
  await page.getByText(t('funnel.take_up.resumed', { policyholder: 'Ana Gil' })).waitFor()
  await expectPage(page.getByText(t('funnel.take_up.price_changed', { before: '1,00 €', now: await totalOf(user) }))).toHaveCount(1)
  // It is accepted where it is sold.
  await expectPage(page.getByRole('button', { name: t('funnel.accept_price') })).toHaveCount(0)

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

test('ages set the price of step 1, and step 2 says which birth date changes it', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const t = words()
  const [ages, travelers] = [page.locator('[name=ages]'), page.locator('[name=travelers]')]
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(user)
  const usual = await totalOf(user)
  await page.getByText(t('funnel.provisional')).waitFor()
  await ages.fill('7o')
  await page.keyboard.press('Tab')
  await page.getByText(t('validation.ages')).waitFor()
  await ages.fill('70 8')
  await expectPage(travelers).toHaveValue('2')
  await page.keyboard.press('Tab')
  await expectPage(ages).toHaveValue('70, 8')
  await page.getByText(t('funnel.confirmed')).waitFor()
  await expectPage(page.getByText(t('funnel.provisional'))).toHaveCount(0)
  const exact = await totalOf(user)
  expect(exact).not.toBe(usual)
  // With fewer travellers the last ages go, once the number is typed.
  await travelers.fill('1')
  await expectPage(ages).toHaveValue('70, 8')
  await page.keyboard.press('Tab')
  await expectPage(ages).toHaveValue('70')
  await ages.fill('70 8')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  await expect.poll(() => totalOf(user)).toBe(exact)

  // A birth date of that age keeps the price.
  await page.locator('[name=birthDate]').fill(bornFor(70))
  await page.locator('[name="extraTravellers.0.birthDate"]').fill(bornFor(8))
  await page.keyboard.press('Tab')
  await expect.poll(() => totalOf(user)).toBe(exact)
  await page.locator('[name="extraTravellers.0.birthDate"]').fill(bornFor(36))
  await page.getByText(t('funnel.age_differs', { age: 36, given: 8 })).waitFor()
  await expect.poll(() => totalOf(user)).not.toBe(exact)
  await page.getByText(t('funnel.price_changed', { before: exact, now: await totalOf(user) })).waitFor()
  // The birth dates count from then on.
  await page.goBack()
  await page.waitForURL(/funnel(?:\?step=1)?$/)
  await expectPage(ages).toHaveValue('70, 36')
  await ages.fill('70, 8')
  await page.keyboard.press('Tab')
  await expectPage(ages).toHaveValue('70, 36')
  await page.getByText(t('funnel.ages_known')).waitFor()
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
  await expectPage(startOver).toHaveCount(0)
  await fillTrip(user)
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.locator('[name=name]').fill('Ana')
  await startOver.click()
  await page.waitForURL(/step=1$/)
  await page.locator('[name=startDate]').waitFor()
  await expectPage(page.locator('[name=startDate]')).toHaveValue('')
  await page.getByRole('button', { name: t('funnel.undo') }).click()
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
  await expectPage(page.locator('[name=name]')).toHaveValue('Ana')
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

test('a refusal of the tariff or of the destination keeps step 1 and is explained', { tags: 'S8.1' }, async () => {
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
  await alert.getByRole('button', { name: t('alert.error.accept') }).click()
  await alert.waitFor({ state: 'detached' })
  await expectPage(page.locator('[name=startDate]')).toHaveValue(inDays(20))
  await page.unroute('**/check-destination-coverage')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.locator('[name="extraTravellers.0.middleName"][aria-invalid=true]').waitFor()
  await page.locator('[name=middleName]').fill('García')
  await page.locator('[name=lastName]').fill('López')
  await page.getByRole('button', { name: t('funnel.extra.copy_surname') }).click()
  await page.locator('[name="extraTravellers.0.middleName"]:not([aria-invalid=true])').waitFor()
  await expectPage(surname).toHaveValue('García')
  await page.locator('[name=phoneNumber]').fill('612 34-56.78')
  await page.keyboard.press('Tab')
  await expectPage(page.locator('[name=phoneNumber]')).toHaveValue('612345678')
  expect(user.problems.filter(text => !text.includes('status of 422'))).toEqual([])
  await user.stop()
})
