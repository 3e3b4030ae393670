import { afterEach, beforeEach, expect, test } from 'vitest'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin } from './testing.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ PUBLIC_URL: 'http://portal.example' })
})
afterEach(() => app.stop())

const rows = () => app.world.database.kysely

test('a user suspended between password and callback gets no session', async () => {
  const { token, flow } = await begin(app, 'agent@azahar.example')
  await rows().updateTable('users').set({ active: false }).where('email', '=', 'agent@azahar.example').execute()
  const reply = await app.ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${flow}` } })
  expect([reply.status, reply.body.error]).toEqual([401, 'session.bad_token'])
  const open = await rows().selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()
  expect(open).toEqual([])
  const entries = await rows().selectFrom('audit').select('outcome').where('action', '=', 'session.open').execute()
  expect(entries).toEqual([{ outcome: 'refused' }])
})

test('a user whose first unit is suspended gets mail from the next one', async () => {
  const [azahar, rotta] = [stableId('business-unit', 'azahar'), stableId('business-unit', 'rotta')]
  await rows().updateTable('business_units').set({ suspended: true }).where('id', '=', azahar).execute()
  await app.ask('/api/auth/password/forgot', { body: { email: 'multi@portolan.example' } })
  await app.world.outbox.drain()
  const mails = await rows().selectFrom('mails').select('business_unit_id').execute()
  expect(mails).toEqual([{ business_unit_id: rotta }])
})
