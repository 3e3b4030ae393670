import { afterAll, beforeAll, expect, test } from 'vitest'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

async function settingsOf(email: string, headers: Record<string, string> = {}) {
  const session = await signIn(app, email)
  return app.ask('/api/business-unit/settings', { headers: { ...session.headers, ...headers } })
}

test('the settings of the caller’s unit have every field of spec 1 and 3', { tags: ['S3.1', 'S7.6'] }, async () => {
  const reply = await settingsOf('agent@azahar.example')
  expect(reply.status).toBe(200)
  expect(reply.body.data).toMatchObject({
    uuid: stableId('business-unit', 'azahar'),
    brandName: 'Viajes Azahar',
    legalName: 'Viajes Azahar, S.L. (fictional)',
    taxId: 'B12345674',
    address: { street: 'Calle de la Paz 12', zipCode: '46003', city: 'València', state: 'Valencia', country: 724 },
    contactInfo: { email: 'hola@azahar.example', phone: '+34 961 000 000' },
    billingInfo: { iban: 'ES9121000418450200051332', email: 'facturas@azahar.example' },
    logo: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
    accent: '#b4532a',
    managementGroup: 'Meridia Iberia',
    policyStatusTypes: {
      purchased: { uuid: stableId('policy-status', 'purchased') },
      budgeted: { uuid: stableId('policy-status', 'budgeted') },
      cancelled: { uuid: stableId('policy-status', 'cancelled') },
    },
    configuration: {
      locale: 'es-ES',
      country: 724,
      showSecondLastName: '1',
      timeZone: 'Europe/Madrid',
      currency: 'EUR',
      earliestBirthDate: '1945-01-01',
      quoteHours: 24,
    },
  })
  expect((await settingsOf('agent@rotta.example', { 'accept-language': 'fr-FR' })).body.data).toMatchObject({
    brandName: 'Rotta Viaggi',
    configuration: { locale: 'it-IT', country: 380, showSecondLastName: '0' },
  })
})

test('all countries are listed, named and sorted in the caller’s language', { tags: 'S3.1' }, async () => {
  const names = async (language: string) => {
    const { countriesList } = (await settingsOf('agent@azahar.example', { 'accept-language': language })).body.data.configuration
    expect(countriesList).toHaveLength(249)
    return countriesList.map((country: { name: string }) => country.name)
  }
  const spanish = await names('es')
  expect([spanish[0], spanish.includes('España')]).toEqual(['Afganistán', true])
  expect(await names('pt-PT')).toContain('Países Baixos')
  expect((await names('fr')).indexOf('Égypte')).toBeLessThan((await names('fr')).indexOf('Espagne'))
})

test('a request without a session or with a missing or foreign unit token is refused', { tags: 'S8.5' }, async () => {
  expect((await app.ask('/api/business-unit/settings')).status).toBe(401)
  const agent = await signIn(app, 'agent@azahar.example')
  const other = await signIn(app, 'agent@rotta.example')
  const bearer = { authorization: agent.headers['authorization'] ?? '' }
  for (const token of [undefined, '', other.headers['x-bunit-token'] ?? '']) {
    const headers = { ...bearer, ...(token === undefined ? {} : { 'x-bunit-token': token }) }
    const reply = await app.ask('/api/business-unit/settings', { headers })
    expect([reply.status, reply.body.error, reply.body.data], token).toEqual([403, 'session.unit_token', undefined])
  }
})

test('only users with the permission to see the agency get its IBAN (attack A114)', async () => {
  const billingOf = async (email: string) => (await settingsOf(email)).body.data.billingInfo
  expect(await billingOf('viewer@azahar.example')).toEqual({ email: 'facturas@azahar.example' })
  for (const email of ['agent@azahar.example', 'manager@azahar.example', 'admin@portolan.example'])
    expect(await billingOf(email), email).toMatchObject({ iban: expect.stringMatching(/^ES91/) })
})
