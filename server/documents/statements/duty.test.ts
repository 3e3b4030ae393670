import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { monthOfUnit } from '#server/accounting/public.ts'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { type November, playNovember } from '#server/accounting/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellAs } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { readPdf } from '../movements/testing.ts'

const unitId = demoScope('azahar').businessUnitId
const portugal = 620

let november: November
beforeEach(async () => {
  november = await playNovember()
  const { kysely } = november.app.world.database
  await sql`update business_units set settings = jsonb_set(settings, '{country}', ${String(portugal)}::jsonb) where id = ${unitId}`.execute(
    kysely,
  )
  await november.at('2026-12-01T06:00:00Z')
  // Two nodes close at once: one of them books the duty.
  await Promise.all([closeMonths(november.app.world), closeMonths(november.app.world)])
})
afterEach(() => november.app.stop())

const detail = (number: string) => november.asAccountant('statements/detail', { number })
const booked = async () => {
  const { kysely } = november.app.world.database
  const rows = await kysely.selectFrom('money_book').selectAll().where('kind', '=', 'stamp_duty').orderBy('at').execute()
  return rows.map(row => [row.at.toISOString(), row.commission_payable, row.stamp_duty])
}
const fileOf = (format: string, number: string) =>
  november.app.context.http.inject({
    url: `/api/accounting/statements/file?number=${number}&format=${format}`,
    headers: { ...november.accountant.headers, 'accept-language': 'pt-PT' },
  })

test('a statement in Portugal withholds stamp duty, and pays that much less', async () => {
  const { statement, open, netting } = await detail('azahar-2026-11')
  expect(statement).toMatchObject({
    earned: 171.32,
    stampDuty: { percent: 2, amount: 3.43 },
    after: { account: 134.72, commission: 167.89 },
    due: { account: -33.17, commission: 0 },
  })
  expect([open.account, netting]).toEqual([-33.17, 0])
  expect(await booked()).toEqual([['2026-11-30T22:59:59.999Z', 343, -343]])
  expect(await brokenInvariants(november.app.world.database)).toEqual([])
})

test('document, workbook and CSV of a statement have the duty as a line of its own', async () => {
  const { text } = await readPdf((await fileOf('pdf', 'azahar-2026-11')).rawPayload)
  expect(text).toContain('Imposto do Selo sobre a comissão, 2 %')
  expect(text).toContain('167,89')
  const sheet = (await readXlsx((await fileOf('xlsx', 'azahar-2026-11')).rawPayload)).sheets[0]
  expect(sheet?.rows.find(cells => String(cells[3]).startsWith('Imposto do Selo'))?.[10]).toBe(-3.43)
  const csv = (await fileOf('csv', 'azahar-2026-11')).payload.split('\r\n')
  const duty = csv.findIndex(line => line.includes('Imposto do Selo'))
  expect(csv[duty]).toContain(';-3,43;')
  expect(csv.slice(duty - 1, duty + 2).map(line => line.split(';').at(-4))).toEqual(['171,32', '-3,43', '167,89'])
})

test('the duty is in no movement, so the statement and the book of a bordereau stay equal', async () => {
  const { sums } = await monthOfUnit(november.app.world, unitId, '2026-11')
  const equal = { rows: 6, gross: 65_357, commission: 17_132 }
  expect(sums).toEqual([{ currency: 'EUR', statement: equal, book: equal }])
  const { total } = await november.asAccountant('earnings', { from: '2026-11', to: '2026-11' })
  expect(total.earned).toBe(171.32)
})

test('a month in which more commission went back than was earned gives duty back', async () => {
  const { entries } = await november.asAccountant('entries', { from: '2026-11-20', to: '2026-11-20' })
  await november.at('2026-11-25T12:00:00Z')
  const body = { policyUuid: entries[0].policyUuid, version: 1, expectedRefund: 134.72, reason: 'trip_cancelled' }
  const reply = await november.app.ask('/api/policy/cancel', { body, headers: november.seller.headers })
  expect(reply.status, reply.text).toBe(200)
  await november.at('2027-01-01T06:00:00Z')
  await closeMonths(november.app.world)
  const { statement } = await detail('azahar-2026-12')
  expect(statement).toMatchObject({ earned: -27.4, stampDuty: { percent: 2, amount: -0.55 }, after: { commission: -26.85 } })
  expect((await booked()).at(-1)).toEqual(['2026-12-31T22:59:59.999Z', -55, 55])
  expect((await detail('azahar-2026-11')).statement.stampDuty.amount).toBe(3.43)
  expect(await brokenInvariants(november.app.world.database)).toEqual([])
})

test('a month without any commission has no duty, and no booking of one', async () => {
  await november.at('2027-01-01T06:00:00Z')
  await closeMonths(november.app.world)
  expect((await detail('azahar-2026-12')).statement.stampDuty).toEqual({ percent: 2, amount: 0 })
  expect(await booked()).toHaveLength(1)
})

test('a duty counts once, even if its id and the closing’s have the same millisecond', async () => {
  const { app, at, seller } = november
  await at('2027-02-01T06:00:00Z')
  await closeMonths(app.world)
  await at('2027-02-10T10:00:00Z')
  const sold = await sellAs(seller, { startDate: '2027-03-01', endDate: '2027-03-08' })
  expect(sold.status, sold.text).toBe(200)
  await at('2027-03-01T06:00:00Z')
  const { ids } = app.world
  const rising = Array.from({ length: 20 }, () => ids.next()).toSorted()
  await closeMonths({ ...app.world, ids: { next: () => rising.pop() ?? '' } })
  expect((await booked()).at(-1)?.[0]).toBe('2027-02-28T22:59:59.999Z')
  await at('2027-04-01T06:00:00Z')
  await closeMonths(app.world)
  expect((await detail('azahar-2027-03')).statement.paid).toEqual({ account: 0, commission: 0 })
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
