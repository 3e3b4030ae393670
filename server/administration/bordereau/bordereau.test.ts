import { createHash, randomUUID } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import { readXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClosing } from '#server/accounting/statements/close.ts'
import { closedNovember, type November, playNovember } from '#server/accounting/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, reach, sellAs } from '#server/policies/testing.ts'
import { storeNumbersOpenly } from '#server/privacy/testing-numbers.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from '../testing.ts'
import { type Attempt, beginWriting, insertParts, markPrepared } from './queries.ts'

let november: November
let app: November['app']
let first: Awaited<ReturnType<typeof admin>>
let second: Awaited<ReturnType<typeof admin>>
const [azahar, rotta] = [demoScope('azahar').businessUnitId, demoScope('rotta').businessUnitId]

beforeEach(async () => {
  november = await closedNovember()
  ;({ app } = november)
  first = await admin(app)
  second = asker(app, await signIn(app, 'admin2@portolan.example'))
})
afterEach(() => app.stop())

type Asked = { period?: string; units?: string[]; requestUuid?: string; kind?: string }
const prepare = (by: typeof first, asked: Asked = {}) =>
  by.post('bordereau', { requestUuid: randomUUID(), period: '2026-11', units: [azahar], kind: 'premium', ...asked })
const release = (by: typeof first, uuid: string) => by.post('bordereau/release', { uuid })
const file = (uuid: string, name: string) => first.post('bordereau/file', { uuid, name })
const periods = async (by = first) => (await by.post('bordereau/list')).body.data.periods
async function prepared(by: typeof first, asked: Asked = {}) {
  const reply = await prepare(by, asked)
  expect(reply.status, reply.text).toBe(200)
  await app.world.outbox.drain()
  const all = (await periods()).flatMap((each: { bordereaux: { uuid: string }[] }) => each.bordereaux)
  return all.find(({ uuid }: { uuid: string }) => uuid === reply.body.data.uuid)
}
const rowsOf = async (uuid: string) => JSON.parse((await file(uuid, 'bordereau.json')).text)

test('a month that is not over, or not closed, is refused with its units', async () => {
  const open = await playNovember()
  const by = await admin(open.app)
  const asked = { units: [azahar, rotta] }
  await open.at('2026-11-30T22:59:59Z')
  const early = await prepare(by, asked)
  expect([early.status, early.body.error, early.body.data]).toEqual([409, 'bordereau.not_over', { units: [rotta, azahar] }])
  expect(early.body.errorMessage).toContain('Viajes Azahar')
  await open.at('2026-12-01T04:59:59Z')
  const late = await prepare(by, asked)
  expect([late.status, late.body.error, late.body.data]).toEqual([409, 'bordereau.not_closed', { units: [azahar] }])
  expect(await periods(by)).toEqual([])
  await open.app.stop()
})

test('November’s bordereau has a row per movement, and agrees with statement and book', async () => {
  expect(await periods()).toMatchObject([{ period: '2026-11', state: 'open', bordereaux: [] }])
  const bordereau = await prepared(first)
  expect(bordereau).toMatchObject({ state: 'prepared', mayRelease: false, preparedBy: { email: 'admin@portolan.example' } })
  const sums = { rows: 6, gross: 653.57, commission: 171.32 }
  expect(bordereau.sums).toMatchObject([{ currency: 'EUR', ...sums, net: 482.25, statements: sums, book: sums, equal: true, flagged: 0 }])
  const rows = await rowsOf(bordereau.uuid)
  expect(
    rows.map((row: Record<string, unknown>) => [
      row['transaction'],
      row['product'],
      row['version'],
      row['grossPremium'],
      row['commission'],
      row['cumulativeGross'],
    ]),
  ).toEqual([
    ['New', 'ESS', 1, 33.76, 8.74, 33.76],
    ['Additional', 'ESS', 2, 17.08, 4.42, 50.84],
    ['New', 'TOT', 1, 561.48, 155.75, 561.48],
    ['Cancellation', 'ESS', 3, -50.84, -13.16, 0],
    ['New', 'STU', 1, 134.72, 27.4, 134.72],
    ['Return', 'TOT', 2, -42.63, -11.83, 518.85],
  ])
  expect(rows[2]).toMatchObject({
    corrects: null,
    unit: 'azahar',
    class: '18',
    transactionDate: '2026-11-10',
    riskStart: '2027-03-10',
    riskEnd: '2027-03-24',
    expiryDate: '2027-03-24',
    travellers: 2,
    sumInsured: 6400,
    currency: 'EUR',
    premium: 519.16,
    tax1Type: 'IPS',
    tax1Taxable: 519.16,
    tax1Amount: 41.53,
    commissionPercent: 30,
    paymentWay: 'card',
    statementNo: 'azahar-2026-11',
    riskCountry: 'ES',
    insuredCountry: 'ES',
    takerType: 'person',
  })
  expect(rows[5]).toMatchObject({ riskStart: '2027-01-09', riskEnd: '2027-01-23', paymentWay: 'card' })
  for (const row of rows) expect(row.travelPremium + row.cancellationPremium).toBeCloseTo(row.premium, 10)
  expect(rows[2].cancellationPremium).toBeGreaterThan(0)
})

test('insured people have one pseudonym in all rows unless the contract wants names', async () => {
  const before = await rowsOf((await prepared(first)).uuid)
  expect(JSON.stringify(before)).not.toContain('Ana')
  expect(before[0].insuredName).toMatch(/^P-[0-9A-F]{20}$/)
  expect([before[1].insuredName, before[3].insuredName]).toEqual([before[0].insuredName, before[0].insuredName])
  // The same holds for numbers that an older version stored.
  await storeNumbersOpenly(app)
  const open = await rowsOf((await prepared(first)).uuid)
  const namesIn = (rows: { insuredName: string }[]) => rows.map(({ insuredName }) => insuredName)
  expect(namesIn(open)).toEqual(namesIn(before))
  const terms = { businessUnitUuid: azahar, limit: null, netted: true, reason: 'The contract says so' }
  expect((await first.post('accounting/limit', { ...terms, namesInBordereau: true })).status).toBe(200)
  const named = await rowsOf((await prepared(first)).uuid)
  expect(named[0].insuredName).toBe(`${ana.name} ${ana.middleName} ${ana.lastName}`)
  expect((await first.post('accounting/limit', { ...terms, namesInBordereau: false })).status).toBe(200)
})

test('a tab or the end of a line in a name moves no cell', async () => {
  const { kysely } = app.world.database
  const terms = { businessUnitUuid: azahar, limit: null, netted: true, reason: 'The contract says so' }
  const before = await rowsOf((await prepared(first)).uuid)
  await first.post('accounting/limit', { ...terms, namesInBordereau: true })
  await kysely.updateTable('policy_people').set({ last_name: 'Gil\tde\nBiedma' }).where('last_name', '=', ana.lastName).execute()
  const named = await rowsOf((await prepared(first)).uuid)
  expect(named[0].insuredName).toBe(`${ana.name} ${ana.middleName} Gil de Biedma`)
  const others = (rows: Record<string, unknown>[]) => rows.map(row => ({ ...row, insuredName: '' }))
  expect(others(named)).toEqual(others(before))
})

test('the three formats have the same rows, and each file its listed hash', async () => {
  const { uuid, files } = await prepared(first)
  expect(files.map(({ name }: { name: string }) => name)).toEqual([
    'bordereau.csv',
    'bordereau.json',
    'bordereau.xlsx',
    'control.json',
    'tax-es-430.csv',
    'tax-es-consorcio.csv',
  ])
  const rows = await rowsOf(uuid)
  const [head = '', ...lines] = (await file(uuid, 'bordereau.csv')).text.slice(1).trim().split('\r\n')
  expect(head.split(',')).toEqual(Object.keys(rows[0]))
  expect(lines.map(line => line.split(','))).toEqual(rows.map((row: object) => Object.values(row).map(value => String(value ?? ''))))
  const bytes = async (name: string) => {
    const reply = await app.context.http.inject({
      method: 'POST',
      url: '/api/administration/bordereau/file',
      payload: { uuid, name },
      headers: first.headers,
    })
    return reply.rawPayload
  }
  const sheet = (await readXlsx(await bytes('bordereau.xlsx'))).sheets[0]
  const numbered = (name: string) => sheet?.rows.slice(1).map(cells => cells[Object.keys(rows[0]).indexOf(name)])
  for (const name of ['grossPremium', 'tax3Amount', 'commissionPercent', 'statementNo', 'net'])
    expect(numbered(name)).toEqual(rows.map((row: Record<string, unknown>) => row[name]))
  for (const { name, size, sha256 } of files) {
    const content = await bytes(name)
    expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, size, sha256])
  }
})

test('the tax returns of a month add up to the taxes of its bordereau', async () => {
  const { uuid, sums } = await prepared(first)
  const lines = async (name: string) =>
    (await file(uuid, name)).text
      .trim()
      .split('\r\n')
      .slice(1)
      .map(line => line.split(','))
  expect(await lines('tax-es-430.csv')).toEqual([['2026-11', '2026-12-20', 'ES', 'IPS', '8', 'EUR', '6', '604.29', '48.34', '0']])
  const [lea, re] = await lines('tax-es-consorcio.csv')
  expect([lea?.[3], re?.[3]]).toEqual(['CCS-LEA', 'CCS-RE'])
  const taxes = Object.fromEntries(
    sums[0].taxes.map(({ code, amount, kept }: { code: string; amount: number; kept: number }) => [code, amount + kept]),
  )
  expect(taxes['IPS']).toBeCloseTo(48.34, 10)
  expect([Number(lea?.[8]), Number(re?.[8])]).toEqual([expect.closeTo(taxes['CCS-LEA'], 10), expect.closeTo(taxes['CCS-RE'], 10)])
})

test('a request that is sent twice, also concurrently, prepares one bordereau', async () => {
  const requestUuid = randomUUID()
  const replies = await Promise.all([1, 2, 3].map(() => prepare(first, { requestUuid })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(replies.map(({ body }) => body.data.uuid)).size).toBe(1)
  await app.world.outbox.drain()
  expect((await periods())[0].bordereaux).toHaveLength(1)
})

test('a job that runs again leaves a prepared bordereau as it is', async () => {
  const { uuid, files } = await prepared(first)
  const { kysely } = app.world.database
  await kysely
    .updateTable('jobs')
    .set({ state: 'waiting', run_at: new Date(0) })
    .where('subscriber', '=', 'administration.bordereau')
    .execute()
  await app.world.outbox.drain()
  expect((await periods())[0].bordereaux[0]).toMatchObject({ uuid, files })
})

test('an earlier attempt stores nothing more once another one has begun', async () => {
  const { uuid } = (await prepare(first)).body.data
  const { database, ids } = app.world
  const begin = async () => {
    const attempt = { id: uuid, writer: ids.next() }
    await database.asService(tx => beginWriting(tx, attempt))
    return attempt
  }
  const store = (attempt: Attempt) => database.asService(tx => insertParts(tx, attempt, 'bordereau.csv', 0, [Buffer.from('x')]))
  const [early, late] = [await begin(), await begin()]
  await expect(store(early)).rejects.toThrow('another attempt')
  await store(late)
  await expect(database.asService(tx => markPrepared(tx, early, { sums: [], files: [] }))).rejects.toThrow('another attempt')
  await app.world.outbox.drain()
  expect((await periods())[0].bordereaux[0]).toMatchObject({ uuid, state: 'prepared', sums: [{ equal: true }] })
  expect(await rowsOf(uuid)).toHaveLength(6)
})

test('a bordereau that is not written yet is neither released nor sent', async () => {
  const { uuid, state, sums } = (await prepare(first)).body.data
  expect([state, sums]).toEqual(['preparing', null])
  expect((await release(second, uuid)).body.error).toBe('bordereau.not_prepared')
  expect((await file(uuid, 'bordereau.csv')).body.error).toBe('bordereau.not_prepared')
  await app.world.outbox.drain()
})

/** Ends each thread once it has work, as if it were out of memory. */
async function whileThreadsDie(work: () => Promise<void>): Promise<void> {
  const kill = (thread: Worker) => thread.once('message', () => void thread.terminate())
  process.on('worker', kill)
  await work().finally(() => process.off('worker', kill))
}

test('a bordereau whose thread has died is written by the next attempt', async () => {
  const { uuid } = (await prepare(first)).body.data
  await whileThreadsDie(async () => void (await app.world.outbox.drain()))
  expect((await periods())[0].bordereaux[0]).toMatchObject({ uuid, state: 'preparing', files: [] })
  november.later(6)
  await app.world.outbox.drain()
  expect((await periods())[0].bordereaux[0]).toMatchObject({ uuid, state: 'prepared', sums: [{ equal: true }] })
  expect(await rowsOf(uuid)).toHaveLength(6)
})

test('a bordereau whose thread always dies fails without files, and can be retried', async () => {
  const { uuid } = (await prepare(first)).body.data
  const { kysely } = app.world.database
  await whileThreadsDie(async () => {
    for (const seconds of [0, 6, 31, 121, 601]) {
      november.later(seconds)
      await app.world.outbox.drain()
    }
  })
  expect((await periods())[0]).toMatchObject({
    state: 'failed',
    bordereaux: [{ uuid, state: 'failed', sums: null, files: [], mayRelease: false }],
  })
  expect(await kysely.selectFrom('bordereau_parts').select('name').where('bordereau_id', '=', uuid).execute()).toEqual([])
  expect((await release(second, uuid)).body.error).toBe('bordereau.failed')
  expect((await file(uuid, 'bordereau.csv')).body.error).toBe('bordereau.failed')
  expect(await prepared(first)).toMatchObject({ state: 'prepared', sums: [{ equal: true }] })
  expect((await periods())[0].bordereaux).toHaveLength(1)
})

test('a bordereau whose sums differ is not released, and names the agencies concerned', async () => {
  const { uuid } = await prepared(first, { units: [azahar, rotta] })
  const { kysely } = app.world.database
  const { sums } = await kysely.selectFrom('bordereaux').select('sums').where('id', '=', uuid).executeTakeFirstOrThrow()
  const store = (changed: object) =>
    kysely
      .updateTable('bordereaux')
      .set({ sums: JSON.stringify([changed]) })
      .where('id', '=', uuid)
      .execute()
  const [sum] = sums ?? []
  const [unit] = sum?.units ?? []
  await store({ ...sum, book: { ...sum?.book, gross: 65356 } })
  expect((await periods(second))[0].bordereaux[0]).toMatchObject({ mayRelease: false, sums: [{ equal: false }] })
  expect((await release(second, uuid)).body).toMatchObject({ error: 'bordereau.unequal', data: { units: [rotta, azahar] } })
  await store({ ...sum, units: [{ ...unit, statements: { ...unit?.statements, commission: 17131 } }] })
  const units = [{ businessUnit: { uuid: azahar, brandName: 'Viajes Azahar' }, equal: false, statements: { commission: 171.31 } }]
  expect((await periods(second))[0].bordereaux[0]).toMatchObject({ mayRelease: false, sums: [{ equal: false, units }] })
  const refused = (await release(second, uuid)).body
  expect(refused).toMatchObject({ error: 'bordereau.unequal', data: { units: [azahar] } })
  expect(refused.errorMessage).toContain('Viajes Azahar')
  expect((await release(first, (await prepared(first)).uuid)).body.error).toBe('bordereau.same_person')
})

test('a bordereau is released by another administrator, once', async () => {
  const { uuid } = await prepared(first)
  expect((await release(first, uuid)).body.error).toBe('bordereau.same_person')
  expect((await periods(second))[0].bordereaux[0].mayRelease).toBe(true)
  const replies = await Promise.all([1, 2, 3].map(() => release(second, uuid)))
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
  expect(replies.flatMap(({ body }) => body.error ?? [])).toEqual(['bordereau.released', 'bordereau.released'])
  expect((await periods())[0]).toMatchObject({
    state: 'released',
    bordereaux: [{ state: 'released', releasedBy: { email: 'admin2@portolan.example' }, mayRelease: false }],
  })
  expect((await auditOf(app, 'bordereau_released')).map(({ object, details }) => [object, details])).toEqual([
    [uuid, { kind: 'premium', period: '2026-11', businessUnits: ['Viajes Azahar'] }],
  ])
})

test('a released month keeps its bytes, and late movements are in the next one', async () => {
  const { uuid, files } = await prepared(first)
  expect((await release(second, uuid)).status).toBe(200)
  const before = await file(uuid, 'bordereau.csv')
  const again = await prepare(first)
  expect([again.status, again.body.error, again.body.data]).toEqual([409, 'bordereau.released', { units: [azahar] }])
  expect((await prepare(first, { units: [rotta, azahar] })).body.data).toEqual({ units: [azahar] })
  const people = (docNumber: string) => ({
    users: [{ ...ana, ...reach, docNumber }],
    paxNumber: 1,
    startDate: '2027-02-10',
    endDate: '2027-02-17',
  })
  await november.at('2026-11-30T12:00:00Z')
  await sellAs(november.seller, people('22222222J'))
  await november.at('2026-12-05T12:00:00Z')
  await sellAs(november.seller, people('33333333P'))
  await november.at('2027-01-02T12:00:00Z')
  await openClosing(app.world)()
  const december = await prepared(second, { period: '2026-12' })
  expect(december.sums).toMatchObject([{ rows: 2, equal: true }])
  const rows = await rowsOf(december.uuid)
  expect(rows.map((row: Record<string, unknown>) => [row['periodStart'], row['corrects'], row['transactionDate']])).toEqual([
    ['2026-12-01', '2026-11', '2026-11-30'],
    ['2026-12-01', null, '2026-12-05'],
  ])
  expect((await release(first, december.uuid)).status).toBe(200)
  expect((await file(uuid, 'bordereau.csv')).text).toBe(before.text)
  expect((await periods())[1].bordereaux[0]).toMatchObject({ uuid, files })
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('a unit without any movement has an empty bordereau in the month of another', async () => {
  const { uuid, sums } = await prepared(first, { units: [rotta] })
  expect([sums, await rowsOf(uuid)]).toEqual([[], []])
})

test('a bordereau of a wrong month, unit or kind is refused', async () => {
  const wrong = [{ period: '2026-13' }, { period: '2026-11-01' }, { units: [] }, { units: ['x'] }, { kind: 'losses' }]
  for (const asked of wrong) expect([asked, (await prepare(first, asked)).status]).toEqual([asked, 422])
  expect((await prepare(first, { units: [randomUUID()] })).status).toBe(404)
})

test('bordereaux are for administrators, and an unknown one has no file', async () => {
  const manager = asker(app, await signIn(app, 'manager@azahar.example'))
  const uuid = randomUUID()
  expect((await manager.post('bordereau/list')).status).toBe(403)
  expect((await prepare(manager)).status).toBe(403)
  expect((await release(manager, uuid)).status).toBe(403)
  expect((await manager.post('bordereau/file', { uuid, name: 'bordereau.csv' })).status).toBe(403)
  expect((await release(first, uuid)).status).toBe(404)
  expect((await file(uuid, 'bordereau.csv')).status).toBe(404)
  const known = (await prepared(first)).uuid
  expect((await file(known, '../control.json')).status).toBe(404)
})
