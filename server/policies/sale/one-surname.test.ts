import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPdf } from '#server/documents/deeds/testing.ts'
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
