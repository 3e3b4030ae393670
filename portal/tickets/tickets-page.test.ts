import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScreen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

const agent = 'agent@azahar.example'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

/** Sells a trip to that policyholder and a companion. */
async function soldTo(holder: { name: string; docNumber: string; email: string }) {
  const { policyUuid, policyNumber } = (await sellAs(seller, { users: [{ ...ana, ...reach, ...holder }, leo] })).body.data.policyData
  return { id: policyUuid, number: policyNumber, taker: `${holder.name} García López`, email: holder.email }
}

test('another policy replaces the contact, and a typed contact is questioned', {
  tags: 'S5.8',
}, async () => {
  const one = await soldTo({ name: 'Ana', docNumber: '12345678Z', email: 'ana@example.es' })
  const other = await soldTo({ name: 'Eva', docNumber: '87654321X', email: 'eva@example.es' })
  const page = await openScreen(app, `/claim?policy=${one.id}`, agent)
  const field = (name: string) => page.locator(`[name="${name}"]`)
  const options = page.getByRole('listbox').getByRole('option')
  const choose = async (number: string) => {
    await field('policyNumber').focus()
    await page.keyboard.type(number)
    await options.getByText(number).waitFor()
    // The previous policy is no longer offered, so no key selects it again.
    await expectScreen(options).toHaveCount(1)
    await page.keyboard.press('Tab')
    await page.getByText('Vigencia', { exact: true }).waitFor()
  }
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  await expectScreen(field('contactEmail')).toHaveValue(one.email)
  // One character is not searched, so the list does not say that nothing matches.
  await field('policyNumber').fill('9')
  await page.getByText('Escriba al menos dos caracteres').waitFor()
  await expectScreen(page.getByText(/Nada coincide/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  // The text is selected when the field gets the focus again.
  await field('contactEmail').focus()
  await choose(other.number)
  await expectScreen(field('contactEmail')).toHaveValue(other.email)
  await expect.poll(() => field('policyNumber').inputValue()).toContain(other.taker)

  await field('contactEmail').fill(one.email)
  await choose(one.number)
  await field('contactEmail').fill(one.email)
  await choose(other.number)
  const question = page.getByRole('alertdialog', { name: `¿Usar los datos de contacto de ${other.taker}?` })
  await question.getByText(one.email).waitFor()
  await question.getByRole('button', { name: 'Usarlos' }).click()
  await expectScreen(field('contactEmail')).toHaveValue(other.email)

  // The travellers are offered. Tab takes the one selected by an arrow or by the text, and no other name is accepted.
  const insured = field('answers.insuredPerson')
  await insured.fill('')
  await page.keyboard.press('ArrowDown')
  const name = await options.first().textContent()
  await page.keyboard.press('Enter')
  await expectScreen(insured).toHaveValue(name)
  await insured.fill('')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expectScreen(insured).toHaveValue(name)
  await insured.fill('')
  await page.keyboard.type(name.slice(0, 3))
  await options.first().waitFor()
  const led = await options.first().textContent()
  await page.keyboard.press('Tab')
  await expectScreen(insured).toHaveValue(led)
  await insured.fill('Otra persona')
  await page.keyboard.press('Tab')
  await expectScreen(insured).toHaveValue('Otra persona')
  await page.locator('[name="answers.insuredPerson"][aria-invalid=true]').waitFor()
  await page.getByText(app.world.words('es-ES')('tickets.no_traveller')).first().waitFor()
  await insured.fill(name)
  await page.keyboard.press('Tab')
  await page.locator('[name="answers.insuredPerson"]:not([aria-invalid=true])').waitFor()

  const subject = field('subject')
  await subject.fill('Maleta de Ana')
  await page.goto(`/claim?policy=${one.id}`)
  await page.reload()
  await page.getByText(`${other.number} · Maleta de Ana`).waitFor()
  await expectScreen(subject).toHaveCount(0)
  await page.getByRole('button', { name: 'Continuar', exact: true }).click()
  await expectScreen(subject).toHaveValue('Maleta de Ana')
  await page.goto(`/claim?policy=${one.id}`)
  await page.reload()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  await expectScreen(subject).toHaveValue('')
})

test('a new claim begins with its policy, of which Enter takes the first found; the list names the policyholder', async () => {
  const { number, id } = await soldTo({ name: 'Iris', docNumber: '11111111H', email: 'iris@example.es' })
  const page = await openScreen(app, '/claim?write=new', agent)
  const field = (name: string) => page.locator(`[name="${name}"]`)
  await page.locator('[name=policyNumber]:focus').waitFor()
  await page.keyboard.type(number.slice(0, 4))
  const options = page.getByRole('listbox').getByRole('option')
  await options.nth(1).waitFor()
  const [first = ''] = (await options.first().textContent()).split(' · ')
  // Several are found: Tab takes none of them.
  await page.keyboard.press('Tab')
  await expectScreen(field('policyNumber')).toHaveValue('')
  await field('policyNumber').focus()
  await page.keyboard.type(number.slice(0, 4))
  // Pressed before the answer, Enter takes the first one once it is there.
  await page.keyboard.press('Enter')
  await expect.poll(() => field('policyNumber').inputValue()).toContain(first)
  await page.getByRole('radio', { name: /Gastos médicos/ }).check()
  await expectScreen(field('contactPhone')).toHaveAttribute('required')
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  await expectScreen(field('contactPhone')).not.toHaveAttribute('required')

  const types: { uuid: string; name: string }[] = (await seller.app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const contact = { contactEmail: 'iris@example.es', subject: 'Maleta de Iris', description: 'Perdida.', incidentDate: '2026-01-15' }
  const body = { typeUuid: types.find(({ name }) => name === 'Equipaje')?.uuid, policyNumber: number, ...contact }
  expect((await seller.app.ask('/api/tickets/claims', { body, headers: seller.headers })).status).toBe(200)
  const list = await openScreen(app, '/claim', agent)
  await list.locator('tbody').getByText('Iris García López').first().waitFor()
  const policy = await openScreen(app, `/policies?policy=${id}`, agent)
  await policy.locator('[data-panel]').getByText(app.world.words('es-ES')('policies.claim_open')).waitFor()
})

test('views count their results, and own views are managed by keyboard', async () => {
  const types: { uuid: string; name: string }[] = (await seller.app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const typeUuid = types.find(({ name }) => name === 'Consulta sobre coberturas')?.uuid
  const contact = { contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
  const body = { typeUuid, subject: '¿Cubre el esquí?', description: 'Fuera de pista.', ...contact }
  expect((await seller.app.ask('/api/tickets/requests', { body, headers: seller.headers })).status).toBe(200)
  const page = await openScreen(app, '/customer-service', agent)
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
  const selected = page.locator('[aria-selected=true]')
  const countOf = async (name: string) => Number((await tab(name).textContent())?.replace(/\D/g, ''))
  const rows = page.locator('tbody:not(.opacity-50) tr[tabindex]')
  await rows.first().waitFor()
  const all = await countOf('Todos')
  expect(all).toBe(rows.count())
  await expect.poll(() => countOf('Mías')).toBe(all)
  expect((await countOf('Abierto')) + (await countOf('En curso')) + (await countOf('Respondido')) + (await countOf('Cerrado'))).toBe(all)

  const choose = async (filter: string, choice: RegExp) => {
    await page.getByRole('button', { name: filter }).press('Enter')
    await page.getByRole('menuitemradio', { name: choice }).press('Enter')
  }
  await choose('Tipo', /Consulta/)
  await page.waitForURL(/topic=/)
  await choose('Creado por', /Yo/)
  await page.waitForURL(/by=me/)
  await rows.first().waitFor()
  const found = rows.count()
  const save = async () => {
    await page.getByRole('button', { name: 'Guardar vista' }).press('Enter')
    await page.locator('[name=viewName]').fill('Mi consulta')
    await page.keyboard.press('Enter')
  }
  await save()
  await tab('Mi consulta').and(selected).waitFor()
  await expect.poll(() => countOf('Mi consulta')).toBe(found)

  await tab('Mi consulta').press('Home')
  await tab('Todos').and(selected).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  await tab('Mi consulta').waitFor()
  await tab('Todos').press('End')
  await page.waitForURL(/topic=.+&by=me/)

  // The same name replaces the view.
  await choose('Estado', /Cerrado/)
  await page.waitForURL(/status=closed/)
  await save()
  await tab('Mi consulta').and(selected).waitFor()
  await expectScreen(tab('Mi consulta')).toHaveCount(1)
  await expect.poll(() => countOf('Mi consulta')).toBe(0)

  // Claims have views of their own.
  await page.goto('/claim')
  await tab('Míos').waitFor()
  await expectScreen(tab('Mi consulta')).toHaveCount(0)

  await page.goto('/customer-service')
  await tab('Mi consulta').click()
  await page.getByRole('button', { name: 'Eliminar vista' }).press('Enter')
  // While it has the focus, the notice stays.
  const undo = page.getByRole('button', { name: 'Deshacer' })
  await undo.focus()
  await tab('Mi consulta').waitFor({ state: 'detached' })
  await undo.press('Enter')
  await tab('Mi consulta').waitFor()
})
