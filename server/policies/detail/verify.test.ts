import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { checkCode } from '#server/documents/pdf/parts.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { fromItaly, sellAs, sellerOf } from '#server/policies/testing.ts'

let app: TestApp
let now: Date
let sold: { id: string; number: string; start: string; end: string }
let networks = 0
beforeAll(async () => {
  now = new Date()
  app = await testApp({}, { clock: { now: () => now } })
  const { policyUuid, policyNumber, startDate, endDate } = (await sellAs(await sellerOf(app))).body.data.policyData
  sold = { id: policyUuid, number: policyNumber, start: startDate, end: endDate }
})
afterAll(() => app.stop())
beforeEach(() => {
  now = new Date()
})

const code = () => checkCode({ ...sold, edition: 1 })
const ask = (body: object, remoteAddress = `10.0.${(networks += 1)}.1`) => app.ask('/api/verify', { body, remoteAddress })
const on = (date: string) => {
  now = new Date(`${date}T12:00:00Z`)
}

test('two agencies’ policies of one number are distinguished by their codes', async () => {
  const rotta = (await sellAs(await sellerOf(app, 'agent@rotta.example'), fromItaly)).body.data.policyData
  const rename = (number: string) =>
    app.world.database.asService(tx => tx.updateTable('policies').set({ number }).where('id', '=', rotta.policyUuid).execute())
  await rename(sold.number)
  const clash = { id: rotta.policyUuid, number: sold.number }
  const agencyOf = async (code: string) => (await ask({ number: sold.number, code })).body.data.agency
  expect([await agencyOf(checkCode({ ...clash, edition: 1 })), await agencyOf(code())]).toEqual(['Rotta Viaggi', 'Viajes Azahar'])
  await rename(rotta.policyNumber)
})

test('the certificate’s code shows its validity and nothing else', async () => {
  const verified = async () => (await ask({ number: sold.number, code: code() })).body.data
  expect(await verified()).toEqual({ number: sold.number, agency: 'Viajes Azahar', validity: 'upcoming', holds: null })
  on(sold.start)
  expect(await verified()).toEqual({ number: sold.number, agency: 'Viajes Azahar', validity: 'valid', holds: null })
  on(sold.end)
  expect((await verified()).validity).toBe('valid')
  on(addDays(sold.end, 1))
  expect((await verified()).validity).toBe('ended')
})

test('number and code are accepted as typed, in any case and spacing', async () => {
  const { body } = await ask({ number: sold.number.toLowerCase().replace('-', ' '), code: code().toLowerCase().replace('-', '') })
  expect(body.data.number).toBe(sold.number)
})

test('a wrong code, an unknown number and no number get the same response', async () => {
  const replies = await Promise.all([
    ask({ number: sold.number, code: 'AAAAA-AAAAA' }),
    ask({ number: '9999999-A', code: code() }),
    ask({ number: "'; drop table policies; --", code: code() }),
    ask({ number: '', code: '' }),
  ])
  for (const { status, body } of replies)
    expect([status, body.data]).toEqual([200, { number: '', agency: '', validity: 'unknown', holds: null }])
  expect((await ask({ number: sold.number })).status).toBe(422)
})

test('attempts are limited by network', async () => {
  const tries: number[] = []
  for (let round = 0; round < 22; round++) tries.push((await ask({ number: sold.number, code: 'AAAAA-AAAAA' }, '10.1.1.1')).status)
  expect(tries).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429])
  expect((await ask({ number: sold.number, code: code() })).status).toBe(200)
})
