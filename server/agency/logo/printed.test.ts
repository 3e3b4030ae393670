import { sql } from 'kysely'
import { afterAll, assert, beforeAll, expect, test } from 'vitest'
import { findSource, insertSources } from '#server/documents/recreate/queries.ts'
import { logoOf } from '#server/documents/pdf/document.ts'
import { leaveLogoOut } from '#server/documents/typesetting/renderer.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { fromItaly, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, demoScope, signIn } from '#server/session/testing.ts'
import { dataUrl } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const svg = (inside: string, box = '0 0 9 9') =>
  dataUrl(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${inside}</svg>`, 'image/svg+xml')
/** Drawing this crashes the process of the native renderer. */
const deadly = svg('<rect width="1e30" height="1e30"/>', '0 0 1e-30 1e-30')

async function save(logo: string) {
  const { headers } = await signIn(app, 'manager@azahar.example')
  return app.ask('/api/agency', { method: 'PUT', body: { logo }, headers })
}

test('a logo that takes long to print is refused at its field, and the service goes on', async () => {
  const before = (await save(svg('<rect width="9" height="9"/>'))).body.data.logo
  expect(before).toMatch(/^data:image\/svg/)
  const reply = await save(svg(`<text>${'a'.repeat(100_000)}</text>`))
  expect([reply.status, reply.body.fields]).toEqual([
    422,
    [{ path: 'logo', rule: 'heavy', message: 'Imprimir esta imagen tarda demasiado. Guárdela como PNG o en una forma más sencilla.' }],
  ])
  expect((await save(deadly)).body.fields).toMatchObject([{ path: 'logo', rule: 'numbers', message: expect.stringContaining('medidas') }])
  const { headers } = await signIn(app, 'manager@azahar.example')
  expect((await app.ask('/api/agency', { headers })).body.data.logo).toBe(before)
})

test('a stored logo that crashes the renderer is left out, and delays no other agency', async () => {
  await app.world.database.kysely
    .updateTable('business_units')
    .set({ settings: sql`settings || ${JSON.stringify({ logo: deadly })}::jsonb` })
    .where('key', '=', 'azahar')
    .execute()
  const [azahar, rotta] = [await sellerOf(app), await sellerOf(app, 'agent@rotta.example')]
  const sold = [await sellAs(azahar), await sellAs(rotta, fromItaly), await sellAs(azahar)]
  await app.world.outbox.drain()
  for (const [index, { body }] of sold.entries()) {
    const { headers } = index === 1 ? rotta : azahar
    for (const { file } of body.data.files) {
      const { status, bytes } = await app.ask(file, { headers })
      expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
  }
  // It is removed once and for good, and those who can store another get an email.
  const { headers } = await signIn(app, 'manager@azahar.example')
  const { logo } = (await app.ask('/api/agency', { headers })).body.data
  expect(Buffer.from(logo.split(',')[1], 'base64').toString()).toBe('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
  const [change] = (await app.ask('/api/agency/changes', { headers })).body.data.changes
  expect(change).toMatchObject({ who: '', fields: [{ field: 'logo' }] })
  expect(await auditRows(app, 'agency.logo_removed')).toMatchObject([{ outcome: 'done', object: demoScope('azahar').businessUnitId }])
  const mails: { to: string; subject: string }[] = (await app.ask('/dev/mail.json')).body
  const sent = mails.filter(({ subject }) => subject === 'Viajes Azahar: se ha quitado su logotipo')
  expect(sent.map(({ to }) => to)).toEqual(['manager@azahar.example'])
})

test('a stored document source has no picture once its logo is left out', async () => {
  const scope = demoScope('azahar')
  const contentId = 'b1f8c5a2-2d0e-4f7e-9a51-6d5d0f3c9a10'
  const logo = logoOf(svg('<path d="M0 0h1v1"/>'))
  assert(logo)
  const source = { data: '{}', seconds: 0, logo }
  const { secrets, database } = app.world
  await database.inScope(scope, tx => insertSources(secrets, tx, [{ contentId, source }]))
  const kept = () => database.inScope(scope, tx => findSource(secrets, tx, contentId))
  expect(await kept()).toEqual(source)
  await leaveLogoOut(app.world)(scope.businessUnitId, logo)
  expect(await kept()).toEqual({ ...source, logo: null })
})
