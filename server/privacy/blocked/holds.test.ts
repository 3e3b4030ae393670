import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '#server/administration/testing.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'

let app: TestApp
let uuid: string
let headers: Record<string, string>
beforeAll(async () => {
  app = await testApp()
  uuid = (await sellAs(await sellerOf(app))).body.data.policyData.policyUuid
  headers = (await admin(app)).headers
})
afterAll(() => app.stop())

const post = (path: string, body: object): Promise<TestReply> => app.ask(`/api/privacy/${path}`, { body, headers })
const hold = (until: string) => post('hold', { kind: 'policy', uuid, until, reason: 'Juicio 12/26' })
const listed = async () => (await post('holds', {})).body.data.holds.map((each: { until: string }) => each.until)
const clockAt = async (at: string) => expect((await app.ask('/dev/clock', { body: { at } })).status).toBe(200)

test('a hold is in force through its last day in the agency’s zone, and not after it', async () => {
  // In Madrid it is already the 2nd.
  await clockAt('2027-06-01T22:30:00Z')
  const { status, body } = await hold('2027-06-01')
  expect([status, body.fields]).toMatchObject([422, [{ path: 'until', rule: 'past' }]])
  expect(await listed()).toEqual([])
  for (const until of ['2027-06-03', '2027-06-02']) expect((await hold(until)).status).toBe(200)
  expect(await listed()).toEqual(['2027-06-02', '2027-06-03'])
  await clockAt('2027-06-02T21:30:00Z')
  expect(await listed()).toEqual(['2027-06-02', '2027-06-03'])
  await clockAt('2027-06-02T22:30:00Z')
  expect(await listed()).toEqual(['2027-06-03'])
  expect((await post('holds', {})).body.data.total).toBe(1)
})

test.each(['2027-02-30', '9999-99-99', '2037-06-03', '9999-12-31'])(
  'a hold until %s is refused at its field, as no day or too far ahead',
  async until => {
    await clockAt('2027-06-02T10:00:00Z')
    const before = await listed()
    const { status, body } = await hold(until)
    expect([status, body.fields]).toMatchObject([422, [{ path: 'until' }]])
    expect(await listed()).toEqual(before)
  },
)

test('a hold of ten years is set', async () => {
  await clockAt('2027-06-02T10:00:00Z')
  const { status, body } = await hold('2037-06-02')
  expect(status).toBe(200)
  expect((await post('holds/lift', { uuid: body.data.uuid, reason: 'Archivado' })).status).toBe(200)
})
