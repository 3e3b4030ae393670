import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ageOn, readDate } from '#common/kit/dates.ts'
import { accessibilityOf, enter, inDays, openPortal, type Portal, toPeople } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const agesOn = (day: string) => ['1990-03-12', '1985-03-10'].map(birth => ageOn(birth, readDate(day) ?? ''))

/** Pastes a text into a field, as the keyboard does. Returns whether the page left it to the browser. */
const pasteInto = (field: Locator, text: string) =>
  field.evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    return field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('a pasted booking fills the form, can be undone, and never leaves the browser', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = portal.app.world.words('es-ES')
  const secret = 'ZEBRA7QX'
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`))
  await enter(user, 'agent@azahar.example', '/funnel')
  const field = (name: string) => page.locator(`form [name="${name}"]`)
  await field('endDate').fill(inDays(9))

  // The shortcut works outside of fields, and the dialog focuses its text area.
  await page.locator('#main h1').click()
  await page.keyboard.press('p')
  await page.locator('[name=pasted]:focus').waitFor()
  // Pressed too early, the button focuses the text.
  await page.getByRole('button', { name: t('paste.fill') }).click()
  await page.locator('[name=pasted]:focus').waitFor()
  await pasteInto(
    page.locator('[name=pasted]'),
    [
      `Código de reserva: ${secret}`,
      `IDA ${inDays(20)}  Lisboa (LIS) 11:25 → Roma Fiumicino (FCO) 15:50`,
      `VUELTA ${inDays(27)}  Roma Fiumicino (FCO) 19:10 → Lisboa (LIS) 21:45`,
      'Pasajeros: 2 adultos y 1 niño (7 años)',
      'Titular: Sra. María García López, DNI 12345678Z, nacida el 12/03/1985',
      'Correo: maria.garcia@correo.example',
      'Cancelación gratuita hasta el día anterior. Tel. 912 345 678',
    ].join('\n'),
  )
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('paste.found', { count: 8 })).waitFor()
  await expect.poll(() => dialog.locator('mark').allInnerTexts()).toContain('2 adultos y 1 niño')
  const ages = dialog.getByRole('checkbox', { name: t('paste.ages') })
  await expectPage(ages).toBeChecked()
  // The marks of the focused fact stand out, and "Edit" leads back to the text.
  await expectPage(dialog.getByRole('checkbox').first()).toBeFocused()
  await expectPage(dialog.locator('mark[data-lit]')).toHaveText(inDays(20))
  await ages.focus()
  await expectPage(dialog.locator('mark[data-lit]')).toHaveText('7')
  await dialog.getByRole('button', { name: t('paste.edit') }).press('Enter')
  await expectPage(dialog.locator('[name=pasted]')).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('.')
  await dialog.getByRole('button', { name: t('paste.done') }).press('Enter')
  await expectPage(dialog.getByRole('checkbox').first()).toBeFocused()
  await ages.focus()
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(await accessibilityOf(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })

  // A deselected value is left out.
  await dialog.getByRole('checkbox', { name: t('funnel.coverageScope') }).press('Space')
  await dialog.getByRole('button', { name: t('paste.fill') }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expectPage(field('startDate')).toHaveValue(inDays(20))
  await expectPage(field('endDate')).toHaveValue(inDays(27))
  const age = String(ageOn('1985-03-12', readDate(inDays(20)) ?? ''))
  await expectPage(field('ages')).toHaveValue(`${age}, ?, 7`)
  await expectPage(field('coverageScope')).toHaveValue('España')
  await page.getByText(t('quote.provisional')).waitFor()

  await page.getByText(t('paste.filled', { count: 4 })).waitFor()
  await page.getByText(t('paste.filled_people', { count: 1 })).waitFor()

  await expect.poll(() => sent.some(request => request.includes('/api/quotes'))).toBe(true)
  await page.getByRole('button', { name: t('paste.undo') }).press('Enter')
  await expectPage(field('startDate')).toHaveValue('')
  await expectPage(field('endDate')).toHaveValue(inDays(9))
  await expectPage(field('ages')).toHaveValue('')
  await page.reload()
  await field('endDate').waitFor()
  await expectPage(field('endDate')).toHaveValue(inDays(9))

  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))
  expect([kept, ...sent].filter(text => text.includes(secret))).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('pasted people fill step 2, and replace a typed one only if ticked', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = portal.app.world.words('es-ES')
  await enter(user, 'agent@azahar.example', '/funnel')
  const field = (name: string) => page.locator(`form [name="${name}"]`)
  const dialog = page.getByRole('dialog')
  const paste = async (...lines: string[]) => {
    await page.getByRole('button', { name: t('line.paste') }).click()
    await page.locator('[name=pasted]:focus').waitFor()
    await pasteInto(page.locator('[name=pasted]'), lines.join('\n'))
  }
  // A booking pasted into a field opens the dialog with it; a date stays in the field.
  const pasteIn = (text: string) => pasteInto(page.locator('[name=startDate]'), text)
  // The browser puts the text into the field, as the page does not prevent it.
  expect(await pasteIn(inDays(20))).toBe(true)
  expect(await pasteIn(`Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)\nVuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`)).toBe(false)
  await dialog.locator('mark').first().waitFor()
  await expectPage(dialog.getByRole('group', { name: t('paste.text') })).toHaveText(/^Ida .+\nVuelta /)
  // The first fact has the focus; Space ticks it, Enter fills in those that are ticked.
  await expectPage(dialog.getByRole('checkbox').first()).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expectPage(field('startDate')).toHaveValue('')
  await expectPage(field('endDate')).toHaveValue(inDays(27))
  await page.getByRole('button', { name: t('paste.undo') }).press('Enter')
  // After a text without facts, the field stays while more is typed.
  await page.getByRole('button', { name: t('line.paste') }).click()
  await pasteInto(dialog.locator('[name=pasted]'), 'Hola, le escribe Marta.')
  await dialog.getByText(t('paste.nothing')).waitFor()
  await dialog.locator('[name=pasted]').press('Control+End')
  await page.keyboard.type(' Viajamos 2 adultos a Roma')
  await expectPage(dialog.locator('[name=pasted]')).toHaveValue('Hola, le escribe Marta. Viajamos 2 adultos a Roma')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // Ages of people whose birth dates follow are not others'.
  await page.getByRole('button', { name: t('line.paste') }).click()
  await pasteInto(
    dialog.locator('[name=pasted]'),
    [
      `Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`,
      `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`,
      `Pasajeros: 2 adultos (${agesOn(inDays(0)).join(' y ')} años)`,
      '1. Ana García López 12/03/1990',
      '2. Carlos Ruiz Sanz 10/03/1985',
    ].join('\n'),
  )
  await dialog.getByRole('checkbox', { name: t('paste.ages') }).waitFor()
  await dialog.getByRole('button', { name: t('paste.fill') }).click()
  await dialog.waitFor({ state: 'detached' })
  await expectPage(field('ages')).toHaveValue(agesOn(inDays(20)).join(', '))
  await page.getByRole('button', { name: t('paste.undo') }).press('Enter')
  // A text that is too long is read in part, and the dialog says so.
  await page.getByRole('button', { name: t('line.paste') }).click()
  await dialog.locator('[name=pasted]').fill('x'.repeat(100_001))
  await dialog.getByText(t('paste.cut', { count: 100_000 })).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const line = (name: string) => dialog.getByRole('checkbox', { name })
  const fill = async () => {
    await dialog.getByRole('button', { name: t('paste.fill') }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await paste(
    '1.GARCIA LOPEZ/MARIA MRS   2.RUIZ MARTIN/CARLOS MR',
    `Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`,
    `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`,
    'SRDOCS HK1-P-ESP-PAB123456-ESP-12MAR85-F-20NOV30-GARCIA LOPEZ-MARIA/P1',
    ' 7 APE-MARIA@CORREO.EXAMPLE/P1',
  )
  await line(t('paste.person_name', { place: 1 })).waitFor()
  await fill()
  await expectPage(field('ages')).toHaveValue(/, \?$/)

  // Another document of the same traveller is not ticked at first, and shows the present one.
  await paste('Pasajero: María García López, DNI 12345678Z')
  await dialog.getByText(t('paste.typed', { values: 'PAB123456' })).waitFor()
  await expectPage(line(t('paste.person_facts', { place: 1 }))).not.toBeChecked()
  await expectPage(line(t('paste.person_name', { place: 1 }))).toBeChecked()
  // A typed traveller is not dropped either.
  await dialog.getByText(t('paste.drops', { count: 1 })).waitFor()
  await fill()

  await toPeople(page)
  await field('name').waitFor()
  const values = async (...names: string[]) => Promise.all(names.map(name => field(name).inputValue()))
  await expect
    .poll(() => values('middleName', 'lastName', 'birthDate', 'documentNumber', 'email'))
    .toEqual(['García', 'López', '12/03/1985', 'PAB123456', 'maria@correo.example'])
  await expect
    .poll(() => values('extraTravellers.0.name', 'extraTravellers.0.middleName', 'extraTravellers.0.lastName'))
    .toEqual(['Carlos', 'Ruiz', 'Martin'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a booking of other people replaces the typed ones, names them, and can be undone', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = portal.app.world.words('es-ES')
  await enter(user, 'agent@azahar.example', '/funnel')
  const field = (name: string) => page.locator(`form [name="${name}"]`)
  const dialog = page.getByRole('dialog')
  const instead = page.locator('[name=instead]')
  const paste = async (...people: string[]) => {
    await page.getByRole('button', { name: t('line.paste') }).click()
    await page.locator('[name=pasted]:focus').waitFor()
    await pasteInto(
      page.locator('[name=pasted]'),
      [...people, `Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`, `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`].join('\n'),
    )
  }
  const fill = async () => {
    await dialog.getByRole('button', { name: t('paste.fill') }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await paste(
    '1.GARCIA LOPEZ/MARIA MRS   2.RUIZ MARTIN/CARLOS MR   3.RUIZ GARCIA/EVA MISS',
    'SRDOCS HK1-P-ESP-PAB123456-ESP-12MAR85-F-20NOV30-GARCIA LOPEZ-MARIA/P1',
    ' 7 APE-MARIA@CORREO.EXAMPLE/P1',
  )
  await dialog.locator('mark').first().waitFor()
  await expectPage(instead).toHaveCount(0)
  await fill()
  const age = String(ageOn('1985-03-12', readDate(inDays(20)) ?? ''))
  await expectPage(field('ages')).toHaveValue(`${age}, ?, ?`)

  const names = 'Maria Garcia Lopez, Carlos Ruiz Martin y Eva Ruiz Garcia'
  const replaced = t('paste.instead', { names, more: 0 })
  await paste('1.SANZ GIL/LUIS MR   2.VEGA SOTO/ANA MRS')
  await instead.waitFor()
  await expectPage(instead).toBeChecked()
  await dialog.getByText(replaced).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  // If not ticked, they are added after the typed ones.
  await instead.press('Space')
  await dialog.getByText(t('paste.person_name', { place: 5 })).waitFor()
  await instead.press('Space')
  await dialog.getByText(t('paste.person_name', { place: 1 })).waitFor()
  await fill()
  await page.getByText(replaced).waitFor()
  await expectPage(field('ages')).toHaveValue('2x')
  await page.getByRole('button', { name: t('paste.undo') }).click()
  await expectPage(field('ages')).toHaveValue(`${age}, ?, ?`)

  await paste('1.SANZ GIL/LUIS MR   2.VEGA SOTO/ANA MRS')
  await instead.waitFor()
  await fill()
  await toPeople(page)
  await field('name').waitFor()
  const values = async (...fields: string[]) => Promise.all(fields.map(name => field(name).inputValue()))
  await expect
    .poll(() => values('name', 'documentNumber', 'birthDate', 'email', 'extraTravellers.0.name'))
    .toEqual(['Luis', '', '', '', 'Ana'])
  await expectPage(field('extraTravellers.1.name')).toHaveCount(0)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a booking pasted on the products page leads to the first price or missing field', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = portal.app.world.words('es-ES')
  await enter(user, 'agent@azahar.example')
  const dialog = page.getByRole('dialog')
  const paste = async (...lines: string[]) => {
    await page.getByRole('button', { name: t('line.paste') }).click()
    await page.locator('[name=pasted]:focus').waitFor()
    await pasteInto(page.locator('[name=pasted]'), lines.join('\n'))
    await dialog.locator('mark').first().waitFor()
    await dialog.getByRole('button', { name: t('paste.fill') }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await paste('1.GARCIA LOPEZ/MARIA MRS', `Ida ${inDays(20)}`, `Vuelta ${inDays(27)}`)
  await page.locator('[data-line] [name=mainDestination]:focus').waitFor()
  await paste('1.GARCIA LOPEZ/MARIA MRS', `Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`, `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`)
  // The first product lacks the cost of the trip.
  const cost = page.locator('[name=priceTravel]:focus')
  await cost.waitFor()
  await expectPage(page.locator('[data-product]').first()).toHaveAttribute('aria-selected', 'true')
  // The same booking again, pasted among the results.
  await paste('1.GARCIA LOPEZ/MARIA MRS', `Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`, `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`)
  await cost.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-product]:nth-of-type(3)[aria-selected=true]:focus').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
