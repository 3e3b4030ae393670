import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refundDue } from '#common/changes/money.ts'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Seller, sellerOf } from '#server/policies/testing.ts'
import { askClient, sellTo, tokenFor } from './testing.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const settings = async () => (await app.ask('/api/business-unit/settings', { headers: seller.headers })).body.data.configuration

async function moveUnit(zone: string): Promise<void> {
  const moved = sql`jsonb_set(settings, '{timeZone}', ${JSON.stringify(zone)}::jsonb)`
  await app.world.database.asService(tx =>
    sql`update business_units set settings = ${moved}, version = version + 1 where key = 'azahar'`.execute(tx),
  )
  await expect.poll(async () => (await settings()).timeZone).toBe(zone)
}

it('the receipt and the link of a policy keep the time zone that it was sold in', async () => {
  const endDate = addDays(start, 39)
  const { policyUuid } = await sellTo(app, seller, { channel: 'distance', endDate })
  await moveUnit('Pacific/Auckland')
  await app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: ['ana@example.es'] }, headers: seller.headers })
  const token = await tokenFor(app, policyUuid, 'ana@example.es')
  const { database } = app.world
  const links = await database.kysely.selectFrom('client_tokens').select('expires_at').where('policy_id', '=', policyUuid).execute()
  const end = new Date(startOfDay(addDays(endDate, 400), 'Europe/Madrid'))
  expect(links.map(({ expires_at }) => expires_at)).toEqual([end, end])

  const body = { token, name: 'Ana García López', confirmTo: 'ana@example.es', version: 1 }
  const { data } = (await askClient(app, 'withdraw', body)).body
  const inMadrid = new Intl.DateTimeFormat('es-ES', { timeStyle: 'medium', timeZone: 'Europe/Madrid' }).format(new Date(data.receivedAt))
  expect(data.receipt.text).toContain(inMadrid)
  await app.world.outbox.drain()
  const mails = database.kysely.selectFrom('mails').select('text_body').where('template', '=', 'withdrawal_received')
  expect((await mails.executeTakeFirst())?.text_body).toContain(inMadrid)
  expect(data.refund.by).toBe(refundDue(new Date(data.receivedAt), 'Europe/Madrid').by)
  // The page gives the same receipt again, and says its times in the same zone.
  const shown = (await askClient(app, 'policy', { token })).body.data
  expect(shown).toMatchObject({ timeZone: 'Europe/Madrid', withdrawal: { receipt: data.receipt } })
})
