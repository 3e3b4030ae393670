import { createHash, randomUUID } from 'node:crypto'
import { readXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type November, playNovember, skipJobs } from '#server/accounting/testing.ts'
import { ana } from '#server/policies/testing.ts'
import { storeNumbersOpenly } from '#server/privacy/testing-numbers.ts'
import { demoScope, type SignedIn, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from '../testing.ts'
import { writeClaims } from './claims.ts'

let november: November
let app: November['app']
let first: Awaited<ReturnType<typeof admin>>
let second: Awaited<ReturnType<typeof admin>>
let support: SignedIn
let claims: { typeUuid: string; policyNumber: string }
const [azahar, rotta] = [demoScope('azahar').businessUnitId, demoScope('rotta').businessUnitId]
const filed: string[] = []

type Row = Record<string, string | number | null>

beforeEach(async () => {
  november = await playNovember()
  ;({ app } = november)
  first = await admin(app)
  second = asker(app, await signIn(app, 'admin2@portolan.example'))
  support = await signIn(app, 'admin@portolan.example', 'Viajes Azahar')
  const types = (await app.ask('/api/tickets/types', { headers: november.seller.headers })).body.data
  const [policy] = (await november.asAccountant('entries', { from: '2026-11-01', to: '2026-11-30' })).entries.toReversed()
  claims = { typeUuid: types.find(({ name }: { name: string }) => name === 'Equipaje').uuid, policyNumber: policy.policyNumber }
  filed.length = 0
  await november.at('2026-11-05T12:00:00Z')
  await file('Maleta perdida')
  await november.at('2026-11-30T22:59:00Z')
  await file('En el último minuto')
  await november.at('2026-11-30T23:01:00Z')
  await file('En el primer minuto')
  await november.at('2026-11-10T12:00:00Z')
  await change('messages', 0, { text: '¿Tiene el resguardo?' })
  await november.at('2026-12-02T12:00:00Z')
  await change('status', 0, { status: 'closed' })
  await change('misfiled', 1, { misfiled: true })
  await closeMonth()
})
afterEach(() => app.stop())

async function closeMonth(): Promise<void> {
  await openClosing(app.world)()
  await skipJobs(app)
}
async function file(subject: string): Promise<void> {
  const body = {
    ...claims,
    subject,
    incidentDate: '2026-11-04',
    description: 'Ana perdió la maleta.',
    contactEmail: 'ana@example.es',
    contactPhone: '+34 612 345 678',
  }
  const reply = await app.ask('/api/tickets/claims', { body, headers: november.seller.headers })
  expect(reply.status, reply.text).toBe(200)
  filed.push(reply.body.data.ticketUuid)
}
async function change(call: string, index: number, body: object): Promise<void> {
  const method = call === 'messages' ? 'POST' : 'PUT'
  const reply = await app.ask(`/api/tickets/${filed[index]}/${call}`, { method, body, headers: support.headers })
  expect(reply.status, reply.text).toBe(200)
}
const prepare = (by: typeof first, asked: object = {}) =>
  by.post('bordereau', { requestUuid: randomUUID(), period: '2026-11', units: [azahar], kind: 'claims', ...asked })
async function prepared(by: typeof first, asked: object = {}) {
  const reply = await prepare(by, asked)
  expect(reply.status, reply.text).toBe(200)
  await app.world.outbox.drain()
  const all = (await periods()).flatMap((each: { bordereaux: { uuid: string }[] }) => each.bordereaux)
  return all.find(({ uuid }: { uuid: string }) => uuid === reply.body.data.uuid)
}
const release = (by: typeof first, uuid: string) => by.post('bordereau/release', { uuid })
const periods = async () => (await first.post('bordereau/list')).body.data.periods
const download = (uuid: string, name: string) => first.post('bordereau/file', { uuid, name })
const rowsOf = async (uuid: string): Promise<Row[]> => JSON.parse((await download(uuid, 'claims.json')).text)
const states = (rows: Row[]) => rows.map(row => [row['filedOn'], row['change'], row['changedOn'], row['state'], row['misfiled']])

test('a month has a row per claim filed or changed in it, as of the end of the month', async () => {
  const bordereau = await prepared(first)
  expect(bordereau).toMatchObject({ kind: 'claims', state: 'prepared', sums: [] })
  expect(bordereau.claims).toMatchObject({ rows: 2, filed: 2 })
  expect(bordereau.claims.states).toHaveLength(2)
  const rows = await rowsOf(bordereau.uuid)
  expect(states(rows)).toEqual([
    ['2026-11-05', 'filed', '2026-11-10', 'answered', null],
    ['2026-11-30', 'filed', '2026-11-30', 'open', null],
  ])
  expect(rows[0]).toMatchObject({
    rowId: `${filed[0]}/2`,
    periodStart: '2026-11-01',
    periodEnd: '2026-11-30',
    unit: 'azahar',
    agreementNo: 'MER-TRV-01',
    product: 'ESS',
    class: '18',
    riskCode: 'TA',
    certificate: claims.policyNumber,
    insuredCountry: 'ES',
    riskStart: '2026-11-20',
    cause: 'luggage',
    incidentDate: '2026-11-04',
  })
  await november.at('2027-01-02T12:00:00Z')
  await closeMonth()
  const december = await rowsOf((await prepared(first, { period: '2026-12' })).uuid)
  expect(states(december)).toEqual([
    ['2026-11-05', 'changed', '2026-12-02', 'closed', null],
    ['2026-11-30', 'changed', '2026-12-02', 'open', 'yes'],
    ['2026-12-01', 'filed', '2026-12-01', 'open', null],
  ])
})

test('a claim never names a person, and has the same pseudonym as the premiums', async () => {
  const terms = { businessUnitUuid: azahar, limit: null, netted: true, reason: 'The contract says so' }
  const premium = async () => {
    const { uuid } = await prepared(first, { kind: 'premium' })
    return JSON.parse((await download(uuid, 'bordereau.json')).text)
  }
  const [movement] = await premium()
  expect((await first.post('accounting/limit', { ...terms, namesInBordereau: true })).status).toBe(200)
  const { uuid } = await prepared(first)
  const { text } = await download(uuid, 'claims.csv')
  expect((await rowsOf(uuid))[0]?.['insuredName']).toBe(movement.insuredName)
  // The same holds for numbers that an older version stored.
  await storeNumbersOpenly(app)
  expect((await rowsOf((await prepared(first)).uuid))[0]?.['insuredName']).toBe(movement.insuredName)
  for (const word of [ana.name, ana.lastName, ana.docNumber, 'Maleta', 'maleta']) expect(text).not.toContain(word)
  expect((await first.post('accounting/limit', { ...terms, namesInBordereau: false })).status).toBe(200)
})

test('the three formats of claims have the same rows, and each file its listed hash', async () => {
  const { uuid, files } = await prepared(first)
  const names = ['claims.csv', 'claims.json', 'claims.xlsx', 'control.json']
  expect(files.map(({ name }: { name: string }) => name)).toEqual(names)
  const bytes = async (name: string) => {
    const url = '/api/administration/bordereau/file'
    return (await app.context.http.inject({ method: 'POST', url, payload: { uuid, name }, headers: first.headers })).rawPayload
  }
  for (const { name, size, sha256 } of files) {
    const content = await bytes(name)
    expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, size, sha256])
  }
  const rows = await rowsOf(uuid)
  const [head = '', ...lines] = (await download(uuid, 'claims.csv')).text.slice(1).trim().split('\r\n')
  expect(head.split(',')).toEqual(Object.keys(rows[0] ?? {}))
  expect(lines.map(line => line.split(','))).toEqual(rows.map(row => Object.values(row).map(value => String(value ?? ''))))
  const sheet = (await readXlsx(await bytes('claims.xlsx'))).sheets[0]
  const column = (name: string) => sheet?.rows.slice(1).map(cells => cells[head.split(',').indexOf(name)])
  for (const name of ['rowId', 'claim', 'version', 'state']) expect(column(name)).toEqual(rows.map(row => row[name]))
  expect(JSON.parse((await download(uuid, 'control.json')).text)).toEqual({
    period: '2026-11',
    rows: 2,
    filed: 2,
    states: { answered: 1, open: 1 },
  })
})

test('batches of any size hold each claim once', async () => {
  const written = async (batch: number) => {
    const stored: string[] = []
    const sink = { store: async (name: string) => void stored.push(name), end: async () => {} }
    const { claims, files } = await writeClaims(app.world, { month: '2026-12-01', units: [azahar, rotta] }, sink, batch)
    return { claims, hashes: files.map(({ sha256 }) => sha256).toSpliced(2, 1) }
  }
  const whole = await written(500)
  expect(whole.claims).toEqual({ rows: 3, filed: 1, states: { closed: 1, open: 2 } })
  for (const batch of [1, 2, 3]) expect(await written(batch), String(batch)).toEqual(whole)
})

test('premiums and claims of a month are released apart, each by two people', async () => {
  const premium = await prepared(first, { kind: 'premium' })
  const { uuid } = await prepared(first)
  expect((await release(first, uuid)).body.error).toBe('bordereau.same_person')
  expect((await release(second, uuid)).status).toBe(200)
  const [period] = await periods()
  expect(period).toMatchObject({ state: 'prepared', units: [{ businessUnit: { uuid: azahar }, released: ['claims'] }] })
  expect((await release(second, premium.uuid)).status).toBe(200)
  const [both] = await periods()
  expect(both).toMatchObject({ state: 'released', units: [{ released: ['premium', 'claims'] }] })
  expect((await auditOf(app, 'bordereau_released')).map(({ details }) => details)).toMatchObject([{ kind: 'claims' }, { kind: 'premium' }])
})

test('released claims keep their bytes, and later changes are in the next month', async () => {
  const { uuid } = await prepared(first)
  expect((await release(second, uuid)).status).toBe(200)
  await november.at('2027-01-02T12:00:00Z')
  await closeMonth()
  const before = await download(uuid, 'claims.csv')
  await change('status', 0, { status: 'in_progress' })
  expect((await download(uuid, 'claims.csv')).text).toBe(before.text)
  expect((await prepare(first)).body).toMatchObject({ error: 'bordereau.released', data: { units: [azahar] } })
  const december = await rowsOf((await prepared(second, { period: '2026-12' })).uuid)
  expect(december.map(row => row['state'])).toEqual(['closed', 'open', 'open'])
})

test('a unit without any claim has an empty bordereau in the month of another', async () => {
  const { uuid, claims: counted } = await prepared(first, { units: [rotta] })
  expect([counted, await rowsOf(uuid)]).toEqual([{ rows: 0, filed: 0, states: [] }, []])
})
