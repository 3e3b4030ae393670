import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { movementsOfDays, type EarnedRow } from '#server/accounting/public.ts'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type November, playNovember, skipJobs } from '#server/accounting/testing.ts'
import { auditRows, demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { contentOf } from './content.ts'
import { purgeReports } from './due.ts'
import { findReport, insertPart } from './queries.ts'

let november: November
let app: November['app']
let accountant: SignedIn

beforeEach(async () => {
  november = await playNovember()
  ;({ app, accountant } = november)
  await skipJobs(app)
})
afterEach(() => app.stop())

const days = { from: '2026-11-01', to: '2026-11-30' }
const english = { 'accept-language': 'en-EN' }

const run = (body: object, by: SignedIn = accountant) =>
  app.ask('/api/reports/run', { headers: { ...by.headers, ...english }, body: { format: 'csv', ...days, ...body } })
const fileOf = (uuid: string, by: SignedIn = accountant) =>
  app.ask(`/api/reports/file?uuid=${uuid}`, { headers: { ...by.headers, ...english } })
const listed = async (by: SignedIn = accountant) => (await app.ask('/api/reports', { headers: by.headers })).body.data.reports

async function made(body: object, by: SignedIn = accountant): Promise<string> {
  const reply = await run(body, by)
  expect(reply.status, reply.text).toBe(200)
  await app.world.outbox.drain()
  return reply.body.data.reportUuid
}

/** The rows of a report as CSV, after its head. */
async function rows(body: object, by: SignedIn = accountant): Promise<string[][]> {
  const { text } = await fileOf(await made(body, by), by)
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(','))
}

const totalOf = (all: string[][]) => all.find(([first]) => first === 'Total')

describe('a report of sales', () => {
  test('has premium, taxes, price and commission of the sales, and their sum', async () => {
    expect(await rows({ report: 'sales', groupBy: ['month', 'product'] })).toEqual([
      ['2026-11', 'Total Trip with Cancellation', '1', '519.16', '42.32', '561.48', '155.75', 'EUR'],
      ['2026-11', 'Study and Long Stay', '1', '124.55', '10.17', '134.72', '27.40', 'EUR'],
      ['2026-11', 'Essential Trip', '1', '31.20', '2.56', '33.76', '8.74', 'EUR'],
      ['Total', '', '3', '674.91', '55.05', '729.96', '191.89', 'EUR'],
    ])
  })

  test('is narrowed by product, agent and way of payment', async () => {
    const sold = await rows({ report: 'sales', groupBy: ['way'] })
    expect(sold.map(([way, count]) => [way, count])).toEqual([
      ['By card', '1'],
      ['On account', '2'],
      ['Total', '3'],
    ])
    const product = november.seller.products.find(({ code }) => code === 'STU')
    expect(totalOf(await rows({ report: 'sales', filters: { productUuid: product?.uuid } }))?.slice(0, 2)).toEqual(['Total', '1'])
    expect(totalOf(await rows({ report: 'sales', filters: { way: 'card' } }))?.slice(0, 2)).toEqual(['Total', '1'])
    expect(totalOf(await rows({ report: 'sales', filters: { sellerUuid: crypto.randomUUID() } }))?.slice(0, 2)).toEqual(['Total', '0'])
    expect((await rows({ report: 'sales', from: '2026-11-03', to: '2026-11-10' })).at(-1)?.slice(0, 2)).toEqual(['Total', '1'])
  })
})

describe('an agent’s share of the commission', () => {
  const byAgent = { report: 'earnings', groupBy: ['seller'] }
  const head = async (body: object) => (await fileOf(await made(body))).text.split('\r\n')[0]?.split(',')
  const usual = ['Transactions', 'Price', 'On account', 'Commission', 'Currency']
  const shared = [...usual.slice(0, -1), 'Share (%)', 'Agent’s share', 'Currency']
  const firstRow = async (body: object) => (await rows(body))[0]

  test('is shown beside the commission of agents and their months, if there are shares', async () => {
    expect((await head(byAgent))?.slice(1)).toEqual(usual)
    await november.at('2026-11-22T10:00:00Z')
    const { headers } = await signIn(app, 'manager@azahar.example')
    const body = { commissionShare: 32.5 }
    const changed = await app.ask(`/api/agency/users/${november.seller.user.uuid}`, { method: 'PUT', body, headers })
    expect(changed.status).toBe(200)
    expect((await head(byAgent))?.slice(1)).toEqual(shared)
    expect(await rows(byAgent)).toEqual([
      ['Lucía Ferrer', '6', '653.57', '134.72', '171.32', '32.50', '55.68', 'EUR'],
      ['Total', '6', '653.57', '134.72', '171.32', '', '55.68', 'EUR'],
    ])
    expect((await firstRow({ ...byAgent, groupBy: ['month', 'seller'] }))?.slice(-3)).toEqual(['32.50', '55.68', 'EUR'])
    // Only whole months of agents have shares.
    const others = [
      { groupBy: ['month'] },
      { groupBy: ['seller', 'way'] },
      { to: '2026-11-29' },
      { filters: { way: 'card' } },
      { report: 'sales' },
    ]
    for (const other of others) expect(await head({ ...byAgent, ...other }), JSON.stringify(other)).not.toContain('Share (%)')
  })
})

test('a file of CSV has the separators of its reader’s language', async () => {
  const uuid = (await app.ask('/api/reports/run', { headers: accountant.headers, body: { report: 'earnings', format: 'csv', ...days } }))
    .body.data.reportUuid
  await app.world.outbox.drain()
  expect((await fileOf(uuid)).text.split('\r\n')[1]).toBe('Total;6;653,57;134,72;171,32;EUR')
})

test('a narrowed report ends with its filters, in each format and language', async () => {
  const product = november.seller.products.find(({ code }) => code === 'STU')
  const filters = { productUuid: product?.uuid, sellerUuid: november.seller.user.uuid, way: 'account' }
  const said = (name: string | undefined) =>
    `One product only: Study and Long Stay · One agent only: ${name} · One way of payment only: On account`
  for (const report of ['sales', 'earnings', 'deeds']) {
    const all = await rows({ report, filters })
    expect(all.at(-1)).toEqual([said(november.seller.user.name), ...Array.from({ length: (all[0]?.length ?? 0) - 1 }, () => '')])
  }
  expect((await rows({ report: 'sales', filters: { way: 'card' } })).at(-1)?.[0]).toBe('One way of payment only: By card')
  expect((await rows({ report: 'sales' })).at(-1)?.[0]).toBe('Total')
  const uuid = await made({ report: 'sales', format: 'xlsx', filters: { way: 'account' } })
  const { rawPayload } = await app.context.http.inject({ url: `/api/reports/file?uuid=${uuid}`, headers: accountant.headers })
  const [sheet] = (await readXlsx(rawPayload)).sheets
  expect(sheet?.rows.at(-1)?.[0]).toBe('One way of payment only: On account')
})

test('a report that is not grouped has its sum once', async () => {
  expect(await rows({ report: 'sales' })).toEqual([['Total', '3', '674.91', '55.05', '729.96', '191.89', 'EUR']])
  expect(await rows({ report: 'earnings' })).toEqual([['Total', '6', '653.57', '134.72', '171.32', 'EUR']])
})

describe.each(['earnings', 'deeds'] as const)('a report of %s', report => {
  const earned = async (filters: object) => totalOf(await rows({ report, filters }))?.at(-2)

  test('is narrowed by product, agent and way of payment', async () => {
    const product = november.seller.products.find(({ code }) => code === 'STU')
    const { uuid } = november.seller.user
    expect(await earned({ productUuid: product?.uuid })).toBe('27.40')
    expect(await earned({ way: 'card' })).toBe('143.92')
    expect(await earned({ sellerUuid: uuid })).toBe('171.32')
    expect(await earned({ sellerUuid: crypto.randomUUID() })).toBe('0.00')
  })

  test('has the sales in the currency that the agency had before', async () => {
    await sql`update business_units set settings = jsonb_set(settings, '{currency}', '"GBP"')`.execute(app.world.database.kysely)
    const sums = (await rows({ report })).filter(([first]) => first === 'Total').map(row => row.slice(-2))
    expect(sums).toEqual([
      ['0.00', 'GBP'],
      ['171.32', 'EUR'],
    ])
  })
})

test('a report is refused while three reports of the user are being made', async () => {
  const first = await run({ report: 'sales' })
  const replies = [first, await run({ report: 'deeds' }), await run({ report: 'sales' }), await run({ report: 'sales' })]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 409])
  expect(replies.at(-1)?.body.error).toBe('report.too_many_running')
  await app.world.outbox.drain()
  expect((await run({ report: 'sales' })).status).toBe(200)
})

test('a long report is read and sent in parts without a gap', async () => {
  const scope = demoScope('azahar')
  const uuid = await made({ report: 'deeds' })
  const { text: whole } = await fileOf(uuid)
  const row = await app.world.database.inScope(scope, tx => findReport(tx, uuid))
  if (!row) throw new Error('the report is there')
  expect((await buffer(await contentOf(app.world, scope, row, 2))).toString()).toBe(whole)
  // More parts than are read at a time.
  const parts = Array.from({ length: 70 }, (_, index) => Buffer.from(`${index},`))
  await app.world.database.inScope(scope, async tx => {
    await tx.deleteFrom('report_parts').where('report_id', '=', uuid).execute()
    for (const [position, content] of parts.entries()) await insertPart(tx, uuid, row.attempt ?? 0, position, content)
  })
  expect((await fileOf(uuid)).text).toBe(parts.join(''))
})

describe('a report of earnings', () => {
  test('has the sums of the page of earnings, before and after a month is closed', async () => {
    // In the reader's language, as the report.
    const headers = { ...accountant.headers, ...english }
    const reply = await app.ask('/api/accounting/earnings', { headers, body: { from: '2026-11', to: '2026-11' } })
    const { total, products } = reply.body.data
    expect(products[0].name).toBe('Total Trip with Cancellation')
    const money = (value: number) => value.toFixed(2)
    const expected = [...products, { name: 'Total', ...total }].map(({ name, deeds, gross, account, earned }) => [
      name,
      String(deeds),
      money(gross),
      money(account),
      money(earned),
      'EUR',
    ])
    expect(total).toMatchObject({ deeds: 6, gross: 653.57, earned: 171.32 })
    expect(await rows({ report: 'earnings', groupBy: ['product'] })).toEqual(expected)
    await november.at('2026-12-01T05:00:00Z')
    await openClosing(app.world)()
    expect(await rows({ report: 'earnings', groupBy: ['product'] })).toEqual(expected)
    expect(await rows({ report: 'earnings', to: '2026-11-29', groupBy: ['product'] })).toEqual(expected)
    expect((await rows({ report: 'earnings', from: '2026-11-11', groupBy: ['seller', 'way', 'month'] })).at(-1)?.[3]).toBe('2')
    // The sums of whole months come from the statements, which these days then lack.
    const { kysely } = app.world.database
    await kysely.updateTable('statement_sums').set({ deeds: 100 }).where('deeds', '=', 1).execute()
    expect((await rows({ report: 'earnings' }))[0]?.[1]).not.toBe('6')
  })
})

describe('a report of movements', () => {
  test('has a row for each movement, without a person’s name', async () => {
    const table = await rows({ report: 'deeds' })
    expect(table.map(([, , day, kind, way, gross, earned]) => [day, kind, way, gross, earned])).toEqual([
      ['2026-11-02', 'Sale', 'On account', '33.76', '8.74'],
      ['2026-11-03', 'Change', 'On account', '17.08', '4.42'],
      ['2026-11-10', 'Sale', 'By card', '561.48', '155.75'],
      ['2026-11-10', 'Cancellation', 'On account', '-50.84', '-13.16'],
      ['2026-11-20', 'Sale', 'On account', '134.72', '27.40'],
      ['2026-11-21', 'Change', 'By card', '-42.63', '-11.83'],
      ['', '', '', '653.57', '171.32'],
    ])
    // The product is named in the reader's language, not in that of the sale.
    expect(new Set(table.map(([, product]) => product))).toEqual(
      new Set(['Essential Trip', 'Total Trip with Cancellation', 'Study and Long Stay', '']),
    )
    expect(JSON.stringify(table)).not.toMatch(/Ana|García|Leo|agent/i)
  })

  test('has each movement once, however few are read at a time', async () => {
    const read = (after: EarnedRow | undefined) =>
      app.world.database.inScope(demoScope('azahar'), tx =>
        movementsOfDays(tx, { ...days, currency: 'EUR', locale: 'en-EN', own: undefined }, after, 2),
      )
    const seen: string[] = []
    for (let movements = await read(undefined); movements.length > 0; movements = await read(movements.at(-1)))
      seen.push(...movements.map(({ kind }) => kind))
    expect(seen).toEqual(['sale', 'change', 'sale', 'cancellation', 'sale', 'change'])
  })

  test('is a workbook with the same rows', async () => {
    const uuid = await made({ report: 'deeds', format: 'xlsx' })
    const url = `/api/reports/file?uuid=${uuid}`
    const reply = await app.context.http.inject({ method: 'GET', url, headers: { ...accountant.headers, ...english } })
    expect(reply.headers['content-disposition']).toContain('Transactions 2026-11-01 2026-11-30.xlsx')
    const [sheet] = (await readXlsx(reply.rawPayload)).sheets
    expect(sheet?.rows[0]).toEqual(['Policy', 'Product', 'Date', 'Transaction', 'Payment', 'Price', 'Commission', 'Currency'])
    expect(sheet?.rows.slice(1).map(row => [row[3] ?? null, row[6]])).toEqual([
      ['Sale', 8.74],
      ['Change', 4.42],
      ['Sale', 155.75],
      ['Cancellation', -13.16],
      ['Sale', 27.4],
      ['Change', -11.83],
      [null, 171.32],
    ])
  })
})

describe('the file of a report', () => {
  test('exists once its job is done, and is listed until it expires', async () => {
    const { reportUuid } = (await run({ report: 'sales' })).body.data
    expect((await fileOf(reportUuid)).body.data).toEqual({ state: 'making' })
    expect((await listed())[0]).toMatchObject({ reportUuid, state: 'making', report: 'sales', ...days, scheduled: false })
    await app.world.outbox.drain()
    expect((await listed())[0]).toMatchObject({ reportUuid, state: 'ready' })
    expect((await fileOf(reportUuid)).text).toContain('Total')
    const now = app.world.clock.now().getTime()
    await november.at(new Date(now + 7 * 86_400_000 - 60_000).toISOString())
    await purgeReports(app.world)
    expect((await fileOf(reportUuid)).status).toBe(200)
    await november.at(new Date(now + 7 * 86_400_000 + 60_000).toISOString())
    await purgeReports(app.world)
    expect([(await fileOf(reportUuid)).status, await listed()]).toEqual([404, []])
    const parts = await app.world.database.kysely.selectFrom('report_parts').select('report_id').execute()
    expect(parts).toEqual([])
  })

  test('is made once, although its job is repeated', async () => {
    const uuid = await made({ report: 'sales' })
    const before = (await fileOf(uuid)).text
    const { kysely } = app.world.database
    await kysely
      .updateTable('jobs')
      .set({ state: 'waiting', run_at: new Date(0) })
      .where('subscriber', '=', 'reports.make')
      .execute()
    await app.world.outbox.drain()
    expect((await fileOf(uuid)).text).toBe(before)
  })

  test('is the file of the attempt that ended first', async () => {
    const { reportUuid } = (await run({ report: 'sales' })).body.data
    const { kysely } = app.world.database
    const { business_unit_id } = await kysely.selectFrom('reports').select('business_unit_id').limit(1).executeTakeFirstOrThrow()
    const broken = { business_unit_id, report_id: reportUuid, attempt: 0, position: 0, content: Buffer.from('broken off') }
    await kysely.insertInto('report_parts').values(broken).execute()
    await app.world.outbox.drain()
    expect((await fileOf(reportUuid)).text).toMatch(/^\ufeff,Policies sold/)
  })

  test('is run once under an idempotency key', async () => {
    const ask = () =>
      app.ask('/api/reports/run', {
        headers: { ...accountant.headers, 'idempotency-key': 'one-report' },
        body: { report: 'sales', format: 'csv', ...days },
      })
    const [one, other] = [await ask(), await ask()]
    expect(one.body.data.reportUuid).toBe(other.body.data.reportUuid)
  })

  test('is listed for its link while it is kept, even after fifty newer ones', async () => {
    const uuid = await made({ report: 'sales' })
    const row = await app.world.database.kysely.selectFrom('reports').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
    const newer = Array.from({ length: 50 }, (_, index) => ({
      ...row,
      id: crypto.randomUUID(),
      choice: JSON.stringify(row.choice),
      created_at: new Date(row.created_at.getTime() + 1000 + index),
    }))
    await app.world.database.kysely.insertInto('reports').values(newer).execute()
    const linked = async (id: string, by = accountant) => {
      const { reports } = (await app.ask(`/api/reports?uuid=${id}`, { headers: by.headers })).body.data
      return reports.filter(({ reportUuid }: { reportUuid: string }) => reportUuid === id).length
    }
    expect((await listed()).some(({ reportUuid }: { reportUuid: string }) => reportUuid === uuid)).toBe(false)
    const manager = await signIn(app, 'manager@azahar.example')
    expect([await linked(uuid), await linked(uuid, manager), await linked(crypto.randomUUID())]).toEqual([1, 0, 0])
    expect(await linked(newer[0]?.id ?? '')).toBe(1)
    const old = new Date(row.created_at.getTime() - 8 * 86_400_000)
    await app.world.database.kysely.updateTable('reports').set({ created_at: old }).where('id', '=', uuid).execute()
    expect(await linked(uuid)).toBe(0)
  })

  test('is for its reader alone, and attempts by others are audited', async () => {
    const uuid = await made({ report: 'sales' })
    const [manager, foreign] = [await signIn(app, 'manager@azahar.example'), await signIn(app, 'agent@rotta.example')]
    expect([(await fileOf(uuid, manager)).status, (await fileOf(uuid, foreign)).status]).toEqual([404, 403])
    expect(await listed(manager)).toEqual([])
    expect((await auditRows(app, 'GET /api/reports/file')).slice(-2)).toMatchObject(
      [manager, foreign].map(({ user }) => ({ object: uuid, outcome: 'refused', user_id: user.uuid })),
    )
    expect((await auditRows(app, 'report.run')).at(-1)).toMatchObject({ object: uuid, details: { report: 'sales', ...days } })
    await fileOf(uuid)
    expect((await auditRows(app, 'report.downloaded')).at(-1)).toMatchObject({ object: uuid, details: { report: 'sales', format: 'csv' } })
  })

  test('is closed to a reader who now sees only own sales', async () => {
    const manager = await signIn(app, 'manager@azahar.example')
    const uuid = await made({ report: 'sales' }, manager)
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    const freelancer = await signIn(app, 'manager@azahar.example')
    expect([(await fileOf(uuid, freelancer)).status, await listed(freelancer)]).toEqual([404, []])
    expect((await rows({ report: 'sales' }, freelancer)).at(-1)?.slice(0, 2)).toEqual(['Total', '0'])
    expect((await rows({ report: 'deeds' }, freelancer)).length).toBe(1)
    expect((await rows({ report: 'earnings' }, freelancer)).at(-1)?.slice(0, 2)).toEqual(['Total', '0'])
    await giveRoles(app, 'manager@azahar.example', ['viewer'])
    expect((await run({ report: 'sales' }, await signIn(app, 'manager@azahar.example'))).status).toBe(403)
  })
})

test('a report is saved under a name for its user alone, changed and deleted', async () => {
  const manager = await signIn(app, 'manager@azahar.example')
  const ask = (method: string, body?: object, { headers } = accountant) =>
    app.ask('/api/reports/views', { method, headers, ...(body ? { body } : {}) })
  const params = { report: 'earnings', groupBy: ['month', 'seller'], format: 'csv' }
  const { viewUuid } = (await ask('PUT', { name: ' Agents ', params })).body.data
  expect((await ask('GET')).body.data.views).toEqual([{ viewUuid, name: 'Agents', params }])
  expect((await ask('GET', undefined, manager)).body.data.views).toEqual([])
  expect((await ask('DELETE', { viewUuid }, manager)).status).toBe(404)
  expect((await ask('PUT', { name: 'Agents', params: { ...params, report: 'sales' } })).body.data).toEqual({ viewUuid })
  expect((await ask('PUT', { name: 'x', params: { ...params, client: 'Ana' } })).body.fields?.[0]?.path).toBe('params.client')
  expect((await ask('DELETE', { viewUuid })).status).toBe(200)
  expect((await ask('GET')).body.data.views).toEqual([])
})

test('unknown kinds, formats, groupings, filters and times are refused at their fields', async () => {
  const wrong: [object, string][] = [
    [{ report: 'claims' }, 'report'],
    [{ format: 'pdf' }, 'format'],
    [{ groupBy: ['month', 'month'] }, 'groupBy'],
    [{ groupBy: ['client'] }, 'groupBy[0]'],
    [{ report: 'deeds', groupBy: ['month'] }, 'groupBy'],
    [{ filters: { productUuid: 'x' } }, 'filters.productUuid'],
    [{ filters: { client: 'Ana' } }, 'filters.client'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-12-01', to: '2026-11-30' }, 'to'],
    [{ from: '2023-11-30' }, 'from'],
  ]
  for (const [body, path] of wrong) {
    const reply = await run({ report: 'sales', ...body })
    expect([body, reply.status, reply.body.fields?.[0]?.path]).toEqual([body, 422, path])
    expect(reply.body.fields[0].message).not.toMatch(/^(?:reports|accounting|shape)\./)
  }
})

test('a report of 36 months is made', async () => expect((await run({ report: 'sales', from: '2023-12-01' })).status).toBe(200))
