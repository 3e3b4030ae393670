import { expect, test, vi } from 'vitest'
import { openGallery } from '#portal/dev/testing.ts'
import { importInPage } from '#portal/kit/testing.ts'
import { stopClock } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'

const { withinText } = await importInPage(() => import('#portal/kit/field/field.tsx'))

async function openForm() {
  const gallery = await openGallery()
  return {
    ...gallery,
    form: gallery.page.locator('#a-form-with-rules'),
    inForm: (name: string) => gallery.field('a-form-with-rules', name),
  }
}

test('a rejected form lists its errors, links to the fields and validates them on blur', { tags: 'S5.8' }, async () => {
  const { page, form, inForm, button, focused } = await openForm()
  await button('Save').click()
  await page.getByText('5 fields need your attention').waitFor()
  await expectScreen(focused()).toHaveAttribute('name', 'startDate')
  // A field is validated again when it is left, not during typing.
  const date = inForm('startDate')
  await date.pressSequentially('01022027')
  await expectScreen(date).toHaveValue('01/02/2027')
  await expectScreen(date).toHaveAttribute('aria-invalid', 'true')
  await date.blur()
  await expectScreen(date).not.toHaveAttribute('aria-invalid')
  await form.getByRole('button', { name: /^Destination\s?: / }).click()
  await expectScreen(focused()).toHaveAttribute('name', 'mainDestination')
  await page.locator('[name=locale]').selectOption('es-ES')
  await form.getByText('Hay 4 campos por revisar').waitFor()
})

test('an empty field says what is missing by its label, the summary and a checkbox do not repeat theirs', async () => {
  const { page, form, button } = await openForm()
  await button('Save').click()
  for (const missing of ['Missing: start date', 'Missing: kind']) await form.getByText(missing, { exact: true }).waitFor()
  await form.getByRole('button', { name: /^Start date\s?: This is missing\.$/ }).waitFor()
  await form.getByText('This is missing.', { exact: true }).last().waitFor()
  await expectScreen(form.getByText(/^Missing: /)).toHaveCount(4)
  await page.locator('[name=locale]').selectOption('fr-FR')
  await form.getByText('Il manque\u00a0: start date', { exact: true }).waitFor()
})

test.each([
  ['Dirección', 'dirección'],
  ['Élément', 'élément'],
  ['IBAN', 'IBAN'],
  ['DNI o pasaporte', 'DNI o pasaporte'],
  ['N.º de documento', 'n.º de documento'],
  ['À partir du', 'à partir du'],
])('the label %j stands in a text as %j', (label, text) => {
  expect(withinText(label)).toBe(text)
})

test('a form validates on blur and on choosing, not during typing', { tags: 'S5.8' }, async () => {
  const { form, inForm, button } = await openForm()
  const date = inForm('startDate')
  await date.pressSequentially('31022027')
  await expectScreen(date).not.toHaveAttribute('aria-invalid')
  await date.blur()
  await form.getByText('This day does not exist').waitFor()
  await date.fill('01022027')
  await expectScreen(date).toHaveAttribute('aria-invalid', 'true')
  await date.blur()
  await form.getByText('This day does not exist').waitFor({ state: 'detached' })
  // A field that was only passed is not marked before the form is sent.
  await inForm('kind').focus()
  await inForm('kind').blur()
  await expectScreen(inForm('kind')).not.toHaveAttribute('aria-invalid')
  await button('Save').click()
  await expectScreen(inForm('kind')).toHaveAttribute('aria-invalid', 'true')
  await inForm('kind').selectOption('a')
  await expectScreen(inForm('kind')).not.toHaveAttribute('aria-invalid')
})

test('a form is sent by keyboard alone and is busy meanwhile', async () => {
  const { page, inForm, button } = await openForm()
  await inForm('startDate').focus()
  await page.keyboard.type('01022027')
  await page.keyboard.press('Tab')
  await page.keyboard.type('02022027')
  await page.keyboard.press('Tab')
  await page.keyboard.type('spain')
  await page.keyboard.press('Tab')
  await expectScreen(inForm('mainDestination')).toHaveValue('Spain')
  await inForm('kind').selectOption('a')
  await inForm('terms').press('Space')
  stopClock()
  await button('Save').press('Enter')
  await expectScreen(button('Save')).toHaveAttribute('aria-busy', 'true')
  vi.advanceTimersByTime(1500)
  await page.getByText('Saved', { exact: true }).waitFor()
})
