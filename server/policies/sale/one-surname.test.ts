import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, reach, type Seller, sellAs, sellerOf } from '../testing.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

test('a dash in place of a second surname is kept, and shown nowhere', async () => {
  const users = [
    { ...ana, ...reach, lastName: '-' },
    { ...leo, lastName: '-' },
  ]
  const { policyData, files } = (await sellAs(seller, { users })).body.data
  expect(policyData.policyTaker).toBe('Ana García')
  const ask = async (path: string, body: object) => (await app.ask(path, { body, headers: seller.headers })).body.data
  const { policies } = await ask('/api/policy/list', { searchData: 'ana garcia' })
  expect(policies[0].policyTaker).toBe('Ana García')
  expect((await ask('/api/policy/detail', { policyUuid: policyData.policyUuid })).users[0].lastName).toBe('-')
  const certificate = await app.context.http.inject({ url: files[0].file, headers: seller.headers })
  const { text } = await readPdf(certificate.rawPayload)
  expect(text).toContain('Leo García')
  expect(text).not.toMatch(/García [-–]/)
})

test('the names of people from before are stored without the dash by the update', async () => {
  const users = [
    { ...ana, ...reach, lastName: '-' },
    { ...leo, lastName: '-' },
  ]
  const id = (await sellAs(seller, { users })).body.data.policyData.policyUuid
  const { kysely } = app.world.database
  const names = async () => [
    await kysely.selectFrom('policy_people').select(['given_sort', 'name_sort']).where('policy_id', '=', id).orderBy('position').execute(),
    await kysely.selectFrom('policies').select(['taker', 'taker_sort']).where('id', '=', id).execute(),
  ]
  const stored = await names()
  await sql`update policy_people set given_sort = given_sort || ' ' || last_name,
    name_sort = replace(name_sort, 'garcia ', 'garcia ' || last_name || ' ') where policy_id = ${id}`.execute(kysely)
  await sql`update policies set taker = taker || ' -', taker_sort = taker_sort || ' -' where id = ${id}`.execute(kysely)
  expect(await names()).not.toEqual(stored)
  const update = readFileSync(new URL('../../database/migrations/0096-names-without-dash.sql', import.meta.url), 'utf8')
  await kysely.transaction().execute(tx => sql.raw(update).execute(tx))
  expect(await names()).toEqual(stored)
})
