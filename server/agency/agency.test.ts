import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { auditRows, type SignedIn, signIn } from '#server/session/testing.ts'
import { dataUrl, pngOf } from './logo/testing.ts'

let app: TestApp
let manager: SignedIn
let now: Date

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({}, { clock: { now: () => now } })
  manager = await signIn(app, 'manager@azahar.example')
})
afterEach(() => app.stop())

const get = (path = '', { headers } = manager) => app.ask(`/api/agency${path}`, { headers })
const put = (body: unknown, { headers } = manager) => {
  now = new Date(now.getTime() + 1)
  return app.ask('/api/agency', { method: 'PUT', body, headers })
}
const profile = async (user = manager) => (await get('', user)).body.data
const contact = (phone: string) => ({ contactInfo: { email: 'hola@azahar.example', phone } })

test('users with the permission see the agency’s profile', async () => {
  const agent = await signIn(app, 'agent@azahar.example')
  expect(await profile(agent)).toMatchObject({
    brandName: 'Viajes Azahar',
    taxId: 'B12345674',
    address: { zipCode: '46003' },
    billingInfo: { iban: 'ES9121000418450200051332' },
    locale: 'es-ES',
    twoFactorRequired: false,
  })
  const viewer = await signIn(app, 'viewer@azahar.example')
  expect([(await get('', viewer)).status, (await get('/changes', viewer)).status]).toEqual([403, 403])
  expect([(await put(contact('+34961000001'), agent)).status, (await put({}, viewer)).status]).toEqual([403, 403])
  expect((await app.ask('/api/agency')).status).toBe(401)
})

test('an update keeps omitted fields and adds to the history', async () => {
  const before = await profile()
  const reply = await put({ version: before.version, ...contact(' +34 961 000 001 ') })
  expect(reply.body.data).toMatchObject({ contactInfo: { phone: '+34 961 000 001' }, address: before.address })
  expect(reply.body.data.version).not.toBe(before.version)
  expect((await app.ask('/api/business-unit/settings', { headers: manager.headers })).body.data.contactInfo.phone).toBe('+34 961 000 001')
  const billing = { billingInfo: { iban: 'es91 2100 0418 4502 0005 1332', email: 'cuentas@azahar.example' } }
  expect((await put(billing)).body.data.billingInfo).toEqual({ iban: 'ES9121000418450200051332', email: 'cuentas@azahar.example' })
  expect((await get('/changes')).body.data.changes).toEqual([
    {
      at: now.toISOString(),
      who: 'Andrés Molina',
      fields: [{ field: 'billingInfo.email', before: 'facturas@azahar.example', after: 'cuentas@azahar.example' }],
    },
    {
      at: expect.any(String),
      who: 'Andrés Molina',
      fields: [{ field: 'contactInfo.phone', before: '+34 961 000 000', after: '+34 961 000 001' }],
    },
  ])
  const entries = await auditRows(app, 'agency.update')
  expect(entries.map(({ details }) => details)).toEqual([{ fields: ['contactInfo.phone'] }, { fields: ['billingInfo.email'] }])
})

test('saving the profile unchanged creates no change', async () => {
  const { version, address } = await profile()
  expect((await put({ version, address })).body.data.version).toBe(version)
  expect((await get('/changes')).body.data.changes).toEqual([])
})

test('fields follow the country’s rules, and unknown fields are refused', async () => {
  const { address } = await profile()
  const wrong = await put({
    address: { ...address, zipCode: '53001' },
    contactInfo: { email: 'x', phone: '123' },
    billingInfo: { iban: 'ES00', email: 'a@b.example' },
  })
  expect(wrong.body.fields.map(({ path, rule }: { path: string; rule: string }) => [path, rule])).toEqual([
    ['address.zipCode', 'validCodPostal'],
    ['contactInfo.email', 'email'],
    ['contactInfo.phone', 'validPhone'],
    ['billingInfo.iban', 'iban'],
  ])
  for (const managed of [
    { brandName: 'X' },
    { legalName: 'X' },
    { taxId: 'X' },
    { locale: 'fr-FR' },
    { twoFactorRequired: true },
    { gateways: [] },
    { businessUnitUuid: crypto.randomUUID() },
  ])
    expect((await put(managed)).status, JSON.stringify(managed)).toBe(422)
  expect((await put({ address: { ...address, secret: 1 } })).status).toBe(422)
})

test('saving an outdated version returns 409 with the present one', async () => {
  const { version } = await profile()
  expect((await put({ version, ...contact('+34961000002') })).status).toBe(200)
  const late = await put({ version, ...contact('+34961000003') })
  expect(late.body).toMatchObject({ code: 409, error: 'agency.changed', data: { contactInfo: { phone: '+34961000002' } } })
  expect((await put({ version: late.body.data.version, ...contact('+34961000003') })).status).toBe(200)
})

test('one of several concurrent saves of one version succeeds', async () => {
  const { version } = await profile()
  const replies = await Promise.all(Array.from({ length: 8 }, (_, count) => put({ version, ...contact(`+3496100001${count}`) })))
  expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', ...Array(7).fill('409')])
  const { changes } = (await get('/changes')).body.data
  expect(changes).toHaveLength(1)
  expect((await profile()).contactInfo.phone).toBe(changes[0].fields[0].after)
})

test('a change by the catalogue or the insurer makes a version outdated', async () => {
  const { version } = await profile()
  await app.world.database.kysely
    .updateTable('business_units')
    .set({ updated_at: new Date(now.getTime() + 7) })
    .where('key', '=', 'azahar')
    .execute()
  expect((await put({ version, ...contact('+34961000002') })).body.error).toBe('agency.changed')
})

test('another unit’s profile is neither visible nor changed', async () => {
  const admin = await signIn(app, 'admin@portolan.example', 'Rotta Viaggi')
  const before = await profile()
  expect((await profile(admin)).brandName).toBe('Rotta Viaggi')
  const rotta = await put({ contactInfo: { email: 'ciao@rotta.example', phone: '+390100000001' } }, admin)
  expect(rotta.body.data.contactInfo.phone).toBe('+390100000001')
  expect(await profile()).toEqual(before)
  expect((await get('/changes')).body.data.changes).toEqual([])
  const foreign = { ...manager, headers: { ...manager.headers, 'x-bunit-token': admin.headers['x-bunit-token'] ?? '' } }
  expect([(await get('', foreign)).status, (await put(contact('+34961000004'), foreign)).status]).toEqual([403, 403])
})

test('a large logo is a file of the unit that goes once replaced', async () => {
  const small = (await put({ logo: dataUrl(pngOf(), 'text/html') })).body.data.logo
  expect(small).toBe(dataUrl(pngOf()))
  const noise = Buffer.from(Array.from({ length: 301 * 300 }, (_, index) => (index * 7919 * (index % 251)) & 255))
  const large = (await put({ logo: dataUrl(pngOf({ width: 300, height: 300, idat: deflateSync(noise) })) })).body.data.logo
  expect(large).toMatch(/^\/api\/files\//)
  const file = await app.ask(large, { headers: { cookie: manager.cookie } })
  expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    200,
    'image/png',
    expect.stringMatching(/^attachment; filename="logo.png"/),
  ])
  const other = await signIn(app, 'agent@rotta.example')
  expect((await app.ask(large, { headers: { cookie: other.cookie } })).status).toBe(404)
  const again = (await put({ logo: large, ...contact('+34961000005') })).body.data
  expect([again.logo, (await app.ask(large, { headers: { cookie: manager.cookie } })).status]).toEqual([large, 200])
  await put({ logo: dataUrl('<svg viewBox="0 0 1 1"><script>alert(1)</script></svg>', 'image/png') })
  expect(Buffer.from((await profile()).logo.split(',')[1], 'base64').toString()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  )
  expect((await app.ask(large, { headers: { cookie: manager.cookie } })).status).toBe(404)
  expect((await get('/changes')).body.data.changes[0].fields).toEqual([{ field: 'logo', before: null, after: null }])
})

test('an invalid or too large logo is refused and not stored (attacks E68 and E70)', async () => {
  const files = async () => (await app.world.database.kysely.selectFrom('files').select('id').execute()).length
  const before = await files()
  for (const logo of [
    'https://169.254.169.254/x.png',
    '/api/files/0',
    dataUrl('<html><script>alert(1)</script></html>'),
    dataUrl('GIF89a'),
    dataUrl('%PDF-1.7'),
  ])
    expect((await put({ logo })).body.fields, logo).toEqual([expect.objectContaining({ path: 'logo' })])
  const megabytes = (count: number) => dataUrl(Buffer.alloc(count * 1024 * 1024, 0x20))
  expect((await put({ logo: megabytes(1) })).body.fields[0].rule).toBe('picture')
  expect([(await put({ logo: megabytes(1.01) })).status, (await put({ logo: megabytes(2) })).status]).toEqual([422, 413])
  expect(await files()).toBe(before)
})
