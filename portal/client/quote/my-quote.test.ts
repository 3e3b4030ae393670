import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClientQuotes } from '#common/client/quote/calls.ts'
import type { QuoteState } from '#common/policies/quote-link.ts'
import { answer, fieldsOf, openScreen, refusal, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

// The page of saved quotes for their client, in each of its states.

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const token = 'AAAAAAAAAAAAAAAAAAAAAA'
const [ipid, wording] = ['019ad000-0000-7000-8000-000000000011', '019ad000-0000-7000-8000-000000000012'] as const

type Quote = ClientQuotes['quotes'][number]
const quoteOf = (changes: Partial<Quote> = {}): Quote => ({
  policyUuid: '019ad000-0000-7000-8000-000000000001',
  version: 3,
  state: 'open',
  product: 'Total',
  startDate: '2027-02-19',
  endDate: '2027-03-05',
  destinations: ['Japón'],
  zone: null,
  restrictions: ['Cada cobertura tiene como límite el importe indicado.'],
  covers: [
    { group: 'medical', name: 'Gastos médicos', value: '500.000 €' },
    { group: 'cancellation', name: 'Cancelación', value: null },
  ],
  files: [
    { uuid: ipid, name: 'ipid.pdf', label: 'Documento de información' },
    { uuid: wording, name: 'cg.pdf', label: 'Condiciones generales' },
  ],
  travellers: [traveller(0), traveller(1)],
  price: { currency: 'EUR', total: 371.22, lines: [{ kind: 'travel', label: null, translated: true, amount: 371.22 }] },
  provisional: false,
  until: '2026-11-20T23:00:00Z',
  withdrawal: true,
  demandsAndNeeds: 'El cliente necesita cobertura para 2 viajeros.',
  differences: [],
  agencyCompletes: false,
  ...changes,
})
const traveller = (position: number, ...missing: string[]) => ({
  position,
  name: position === 0 ? 'Ana García López' : 'Leo García López',
  birthYear: 1985 + 2 * position,
  holder: position === 0,
  missing,
})
const pageOf = (quotes: Quote[], changes: Partial<ClientQuotes> = {}): ClientQuotes => ({
  brand: {
    name: 'Viajes Azahar',
    legalName: 'Viajes Azahar, S. L.',
    accent: '#0f5f56',
    onAccent: '#ffffff',
    phone: '+34 954 00 00 00',
    email: 'hola@azahar.example',
  },
  insurer: 'Portolan Seguros',
  locale: 'es-ES',
  timeZone: 'Europe/Madrid',
  today: '2026-11-20',
  message: '',
  cards: true,
  decision: null,
  quotes,
  ...changes,
})

const t = () => app.world.words('es-ES')
const done = (data: object) => Response.json({ code: 200, data })

/** Opens the page, which the service answers with what the function returns at the time. */
async function open(shown: () => ClientQuotes): Promise<Screen> {
  const page = await openScreen(app, '/my-quote')
  await page.getByText(t()('link.dead')).waitFor()
  answer(page, '/api/client/quote', () => done(shown()))
  await page.goto(`/my-quote#${token}`)
  await page.getByRole('heading', { name: /presupuesto/, level: 1 }).waitFor()
  return page
}
const press = (page: Screen, name: string | RegExp) => page.getByRole('button', { name }).click()
/** Answers a call, and returns the requests that it got. */
function record(page: Screen, path: string, reply: () => Response): Record<string, unknown>[] {
  const requests: Record<string, unknown>[] = []
  answer(page, path, init => {
    requests.push(fieldsOf(init))
    return reply()
  })
  return requests
}

test('a quote is shown with its price, restrictions, covers, documents, end and travellers', async () => {
  const ess = quoteOf({
    policyUuid: '019ad000-0000-7000-8000-000000000002',
    product: 'Esencial',
    destinations: [],
    zone: 'Europa',
    until: '2026-11-23T09:00:00Z',
  })
  const page = await open(() => pageOf([quoteOf(), ess], { message: 'Las dos opciones\nde las que hablamos' }))
  const main = page.locator('main')
  await page.getByText(t()('quoted.heading', { count: 2 })).waitFor()
  await expectScreen(main.locator('blockquote')).toHaveText('Las dos opciones\nde las que hablamos')
  const [first, second] = [main.locator('article').nth(0), main.locator('article').nth(1)]
  for (const text of ['Total', '371,22', 'Japón', 'Gastos médicos', '500.000 €', 'no cubierto', 'Leo García López', 'nacimiento: 1987'])
    await first.getByText(text).first().waitFor()
  // The price of the first ends with a day, that of the second with an hour.
  await first.getByText('viernes, 20 de noviembre de 2026, incluido').waitFor()
  await second.getByText('lunes, 23 de noviembre de 2026, a las 10:00').waitFor()
  await second.getByText('Europa').waitFor()
  const headings = await first.locator('h3').allTextContents()
  expect(headings.indexOf(t()('quoted.restrictions'))).toBeLessThan(headings.indexOf(t()('quoted.covers')))
  await expectScreen(page.getByRole('button', { name: t()('quoted.pay', { amount: '371,22 €' }) })).toHaveCount(2)
})

test('a dead link says so, and sends nothing', async () => {
  const page = await openScreen(app, '/my-quote')
  answer(page, '/api/client/quote', () => refusal(404, 'request.not_found', 'No existe'))
  await page.goto(`/my-quote#${token}`)
  await page.getByText(t()('link.dead')).waitFor()
  await expectScreen(page.locator('main button, main form')).toHaveCount(0)
})

test.each([
  ['taken_out', 'quoted.taken_out'],
  ['other_quote', 'quoted.other_quote'],
  ['gone', 'quoted.gone'],
  ['expired', 'quoted.expired'],
] as const satisfies [QuoteState, string][])('a quote that is %s has no button', async (state, message) => {
  const page = await open(() => pageOf([quoteOf({ state, files: [] })]))
  await page.getByText(t()(message)).waitFor()
  await expectScreen(page.locator('main').getByRole('button')).toHaveCount(0)
  const asksPrice = page.getByText(t()('quoted.ask_price', { agency: 'Viajes Azahar' }))
  await expectScreen(asksPrice).toHaveCount(state === 'expired' ? 1 : 0)
})

test('a decline is asked twice, with or without a reason, and ends the link', async () => {
  let isDeclined = false
  const page = await open(() => pageOf([quoteOf()], { decision: isDeclined ? 'declined' : null }))
  const fields = [{ path: 'name', message: t()('validation.required') }]
  const requests = record(page, '/api/client/quote/decline', () => {
    isDeclined = requests.at(-1)?.['name'] !== ''
    if (isDeclined) return done({ state: 'declined' })
    return Response.json({ code: 422, error: 'validation.failed', errorMessage: 'Revise', requestId: '1', fields }, { status: 422 })
  })
  await press(page, t()('quoted.decline'))
  await page.keyboard.press('Escape')
  await press(page, t()('quoted.decline'))
  await page.getByText(t()('quoted.decline_hint', { agency: 'Viajes Azahar' })).waitFor()
  await page.getByLabel(t()('answer.reason')).selectOption('too_dear')
  // The proof of the answer names the person who gave it.
  await press(page, t()('quoted.decline_confirm'))
  await page.getByText(t()('validation.required')).waitFor()
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('name')
  expect(isDeclined).toBe(false)
  await expectScreen(page.getByLabel(t()('answer.reason'))).toHaveValue('too_dear')
  await page.getByLabel(t()('answer.your_name')).fill('Ana García López')
  await page.keyboard.press('Enter')
  const said = page.getByText(t()('quoted.declined', { agency: 'Viajes Azahar' }))
  await said.waitFor()
  expect(requests).toEqual(['', 'Ana García López'].map(name => ({ token, name, reason: 'too_dear' })))
  await expect.poll(() => document.activeElement?.textContent).toBe(await said.textContent())
  await expectScreen(page.getByRole('button', { name: /^(Pagar|No, gracias)/ })).toHaveCount(0)
})

test('an accepted quote that the agency has sold since does not say that the client is not insured', async () => {
  const page = await open(() => pageOf([quoteOf({ state: 'taken_out' })], { cards: false, decision: 'accepted' }))
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await expectScreen(page.getByText(t()('quoted.not_insured'))).toHaveCount(0)
})

test('without cards a quote is accepted after the declarations, and the client is not insured yet', async () => {
  let isAccepted = false
  const page = await open(() =>
    pageOf([quoteOf({ state: isAccepted ? 'accepted' : 'open' })], { cards: false, decision: isAccepted ? 'accepted' : null }),
  )
  const requests = record(page, '/api/client/quote/pay', () => {
    isAccepted = true
    return done({ state: 'accepted', clientSecret: null, publishableKey: null })
  })
  await press(page, t()('quoted.accept'))
  await page.getByLabel(t()('answer.needs')).waitFor()
  await press(page, t()('quoted.accept'))
  // Each lacking declaration says so, and the first has the focus.
  await expectScreen(page.getByText(t()('answer.confirm'))).toHaveCount(2)
  await page.getByText(t()('answer.begin_missing')).waitFor()
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('needs')
  await page.locator('[name=needs]').check()
  await page.locator('[name=received]').check()
  await page.getByLabel(t()('answer.no'), { exact: true }).check()
  await press(page, t()('quoted.accept'))
  await page.getByText(t()('quoted.not_insured')).waitFor()
  const declared = { needs: true, files: [ipid, wording], beginNow: false }
  expect(requests).toEqual([{ token, policyUuid: quoteOf().policyUuid, version: 3, expectedTotal: 371.22, declared }])
})

test('a renewal says what differs from the present policy', async () => {
  const page = await open(() => pageOf([quoteOf({ differences: [{ what: 'Precio', was: '282,45 €', is: '290,10 €' }] })]))
  await page.getByText(t()('quoted.differs')).waitFor()
  await page.getByText('282,45 € → 290,10 €').waitFor()
})

test('without a right of withdrawal the client is not asked when to begin', async () => {
  const page = await open(() => pageOf([quoteOf({ withdrawal: false })], { cards: false }))
  const requests = record(page, '/api/client/quote/pay', () => done({ state: 'accepted', clientSecret: null, publishableKey: null }))
  await press(page, t()('quoted.accept'))
  await page.locator('[name=needs]').check()
  await page.locator('[name=received]').check()
  await expectScreen(page.locator('[name=begin]')).toHaveCount(0)
  await press(page, t()('quoted.accept'))
  await expect.poll(() => requests.map(({ declared }) => declared)).toEqual([{ needs: true, files: [ipid, wording], beginNow: null }])
})

test('missing fields are asked traveller by traveller, and the price is shown as it was and is', async () => {
  let quote = quoteOf({ travellers: [traveller(0, 'docNumber'), traveller(1, 'birthDate', 'docNumber')], provisional: true })
  const page = await open(() => pageOf([quote]))
  const steps = [
    quoteOf({ version: 4, travellers: [traveller(0), traveller(1, 'birthDate', 'docNumber')] }),
    quoteOf({ version: 5, price: { currency: 'EUR', total: 485.62, lines: [] } }),
  ]
  const requests = record(page, '/api/client/quote/complete', () => {
    const before = quote.price.total
    quote = steps.shift() ?? quote
    const { version, travellers, price, provisional } = quote
    return done({ version, total: price.total, before, provisional, travellers })
  })
  await press(page, t()('quoted.complete', { count: 3 }))
  await page.getByRole('heading', { name: t()('answer.of', { name: 'Ana García López' }) }).waitFor()
  await expectScreen(page.locator('form input')).toHaveCount(1)
  await page.getByLabel(t()('answer.document'), { exact: true }).selectOption('passport')
  await page.getByLabel(t()('answer.docNumber')).fill('AAA123456')
  await press(page, t()('answer.save'))
  await page.getByRole('heading', { name: t()('answer.of', { name: 'Leo García López' }) }).waitFor()
  await page.getByLabel(t()('answer.docNumber')).fill('BBB123456')
  await page.locator('[name="users[1].birthDate"]').fill('31/02/1955')
  await press(page, t()('answer.save'))
  await page.getByText(t()('validation.noSuchDay')).waitFor()
  await page.locator('[name="users[1].birthDate"]').fill('01/06/1955')
  await press(page, t()('answer.save'))
  const said = page.getByText(/^El precio era 371,22\s€ y ahora es 485,62\s€\.$/)
  await said.waitFor()
  await expect.poll(() => document.activeElement?.textContent).toBe(await said.textContent())
  const { policyUuid } = quote
  expect(requests).toEqual([
    { token, policyUuid, version: 3, users: [{ position: 0, docNumber: 'AAA123456', documentKind: 'passport' }] },
    {
      token,
      policyUuid,
      version: 4,
      users: [{ position: 1, docNumber: 'BBB123456', documentKind: 'national', birthDate: '1955-06-01' }],
    },
  ])
  await page.getByRole('button', { name: /^Pagar 485,62/ }).waitFor()
})

test('a refused field says why, and what was typed stays', async () => {
  const page = await open(() => pageOf([quoteOf({ travellers: [traveller(0, 'docNumber', 'phoneNumber', 'address')] })]))
  const fields = [{ path: 'users[0].docNumber', message: 'La letra no corresponde' }]
  answer(page, '/api/client/quote/complete', () =>
    Response.json({ code: 422, error: 'request.invalid', errorMessage: 'Revise', requestId: '1', fields }, { status: 422 }),
  )
  await press(page, t()('quoted.complete', { count: 3 }))
  await page.getByLabel(t()('answer.docNumber')).fill('12345678A')
  await page.getByLabel(t()('answer.phoneNumber')).fill('612345678')
  await page.getByLabel(t()('answer.address'), { exact: true }).fill('Calle Sierpes, 1')
  for (const also of ['answer.document', 'answer.phonePrefix', 'answer.residence'] as const)
    await page.getByLabel(t()(also), { exact: true }).waitFor()
  await press(page, t()('answer.save'))
  await page.getByText('La letra no corresponde').waitFor()
  const field = page.getByLabel(t()('answer.docNumber'))
  await expectScreen(field).toHaveValue('12345678A')
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('users[0].docNumber')
})

test('a quote that changes while its client types is read again, and what was typed stays', async () => {
  let quote = quoteOf({ travellers: [traveller(0, 'docNumber', 'phoneNumber')] })
  const page = await open(() => pageOf([quote]))
  const requests = record(page, '/api/client/quote/complete', () => {
    quote = quoteOf({ version: 4, travellers: [traveller(0, 'docNumber')] })
    return refusal(409, 'request.conflict', 'No')
  })
  await press(page, t()('quoted.complete', { count: 2 }))
  await page.getByLabel(t()('answer.docNumber')).fill('12345678Z')
  await page.getByLabel(t()('answer.phoneNumber')).fill('612345678')
  await press(page, t()('answer.save'))
  await page.getByText(t()('quoted.changed')).waitFor()
  await expectScreen(page.getByLabel(t()('answer.phoneNumber'))).toHaveCount(0)
  await expectScreen(page.getByLabel(t()('answer.docNumber'))).toHaveValue('12345678Z')
  await press(page, t()('answer.save'))
  await expect.poll(() => requests.map(({ version }) => version)).toEqual([3, 4])
})

test('a value that was typed for one traveller is not sent for another', async () => {
  let quote = quoteOf({ travellers: [traveller(1, 'docNumber')] })
  const page = await open(() => pageOf([quote]))
  record(page, '/api/client/quote/complete', () => {
    quote = quoteOf({ version: 4, travellers: [{ ...traveller(1, 'docNumber'), name: 'Marta Ruiz' }] })
    return refusal(409, 'request.conflict', 'No')
  })
  await press(page, t()('quoted.complete', { count: 1 }))
  await page.getByLabel(t()('answer.docNumber')).fill('12345678Z')
  await press(page, t()('answer.save'))
  await page.getByRole('heading', { name: t()('answer.of', { name: 'Marta Ruiz' }) }).waitFor()
  await expectScreen(page.getByLabel(t()('answer.docNumber'))).toHaveValue('')
})

test('a quote that only the agency can complete offers nothing to pay', async () => {
  const page = await open(() => pageOf([quoteOf({ agencyCompletes: true })]))
  await page.getByText(t()('quoted.incomplete')).waitFor()
  await expectScreen(page.getByRole('button', { name: /^Pagar/ })).toHaveCount(0)
  await page.getByRole('button', { name: t()('quoted.decline') }).waitFor()
})

test.each([
  ['request.conflict', 'quoted.changed'],
  ['policy.incomplete', 'quoted.incomplete'],
  ['quote.price_changed', 'quoted.price_changed'],
  ['policy.price_expired', 'quoted.price_ended'],
] as const)('after %s the quote is read again, and says why', async (code, message) => {
  let quote = quoteOf()
  const page = await open(() => pageOf([quote], { cards: false }))
  answer(page, '/api/client/quote/pay', () => {
    quote = quoteOf({ version: 4, product: 'Total Plus' })
    return refusal(409, code, 'No')
  })
  await press(page, t()('quoted.accept'))
  await page.locator('[name=needs]').check()
  await page.locator('[name=received]').check()
  await page.getByLabel(t()('answer.yes'), { exact: true }).check()
  await press(page, t()('quoted.accept'))
  await page.getByRole('heading', { name: 'Total Plus' }).waitFor()
  const said = page.getByText(t()(message))
  await said.waitFor()
  await expect.poll(() => document.activeElement?.textContent).toBe(await said.textContent())
})

test('a link that ends meanwhile is shown as dead', async () => {
  const page = await open(() => pageOf([quoteOf()]))
  answer(page, '/api/client/quote', () => refusal(404, 'request.not_found', 'No existe'))
  answer(page, '/api/client/quote/decline', () => done({ state: 'declined' }))
  await press(page, t()('quoted.decline'))
  await page.getByLabel(t()('answer.your_name')).fill('Ana')
  await press(page, t()('quoted.decline_confirm'))
  await page.getByText(t()('link.dead')).waitFor()
})
