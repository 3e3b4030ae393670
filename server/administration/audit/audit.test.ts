import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { audit } from '#server/session/audit.ts'
import { begin } from '#server/session/testing.ts'
import { admin, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
let now = new Date('2026-11-20T10:00:00Z')
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
  await begin(app, 'agent@azahar.example')
  await begin(app, 'manager@azahar.example', 'wrong')
  now = new Date('2026-11-21T10:00:00Z')
  ask = await admin(app)
})
afterAll(() => app.stop())

const list = async (body: object = {}) => (await ask.post('audit/list', { perPage: 100, ...body })).body.data
const actions = async (body: object) => (await list(body)).entries.map(({ action }: { action: string }) => action)

describe('the list of audit entries', () => {
  test('shows who did what, when and from where, newest first', async () => {
    const { entries } = await list({ who: 'LUCÍA' })
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      at: '2026-11-20T10:00:00.000Z',
      action: 'session.login',
      outcome: 'done',
      user: { email: 'agent@azahar.example' },
      network: expect.any(String),
      requestId: expect.any(String),
    })
    const all = (await list()).entries.map(({ at }: { at: string }) => at)
    expect(all).toEqual(all.toSorted((a: string, b: string) => b.localeCompare(a)))
  })

  test('filters by action, outcome, day, object and unit', async () => {
    expect(await actions({ what: 'session.login', outcome: 'refused' })).toEqual(['session.login'])
    expect(await actions({ what: '%', outcome: 'refused' })).toEqual([])
    expect((await list({ dateTo: '2026-11-20' })).total).toBe(2)
    expect((await list({ dateFrom: '2026-11-22' })).total).toBe(0)
    expect(await actions({ dateFrom: '2026-11-21', dateTo: '2026-11-21', what: 'session' })).toContain('session.login')
    await ask.post(`units/${stableId('business-unit', 'rotta')}/suspend`, { reason: 'unpaid invoices' })
    const object = stableId('business-unit', 'rotta')
    expect(await actions({ object })).toEqual(['administration.unit_suspended'])
    expect(await actions({ businessUnitUuid: object })).toContain('administration.unit_suspended')
  })

  test.each([
    [{ dateFrom: '2026-02-30' }, 'dateFrom'],
    [{ dateTo: 'today' }, 'dateTo'],
    [{ dateTo: '9999-12-31' }, 'dateTo'],
    [{ perPage: 101 }, 'perPage'],
    [{ outcome: 'any' }, 'outcome'],
  ])('refuses the filter %j', async (wrong, path) => {
    const reply = await ask.post('audit/list', wrong)
    expect([reply.status, reply.body.fields?.[0]?.path]).toEqual([422, path])
  })

  test('audits its own reading', async () => {
    await list({ who: 'unknown' })
    expect((await auditOf(app, 'audit_read')).map(({ details }) => details?.['who'])).toContain('unknown')
  })
})

describe('the export of audit entries', () => {
  const exported = async (body: object) => {
    const reply = await app.context.http.inject({
      method: 'POST',
      url: '/api/administration/audit/export',
      headers: { ...ask.headers, 'accept-language': 'fr-FR' },
      payload: body,
    })
    const { sheets } = await readXlsx(new Uint8Array(reply.rawPayload))
    return { headers: reply.headers, rows: sheets[0]?.rows ?? [] }
  }

  test('contains all matches over several batches in the reader’s language', async () => {
    await app.world.database.asService(async tx => {
      const where = { ip: '10.0.0.1', userAgent: '=HYPERLINK("x")', requestId: 'r' }
      for (let index = 0; index < 1203; index += 1)
        await audit(app.world, tx, where, { action: 'test.many', outcome: 'done', object: String(index), details: { index } })
    })
    const { headers, rows } = await exported({ what: 'test.many' })
    expect(headers['content-disposition']).toContain(
      `filename*=UTF-8''${encodeURIComponent('Journal d’audit 2026-11-21.xlsx').replaceAll("'", '%27')}`,
    )
    expect(headers['cache-control']).toBe('private, no-store')
    expect(rows[0]).toContain('Requête')
    expect(rows).toHaveLength(1204)
    expect(new Set(rows.slice(1).map(row => row[5])).size).toBe(1203)
    expect(rows[1]?.[0]).toEqual(now)
    // The cell is text, not a formula.
    expect(rows[1]?.[10]).toBe('=HYPERLINK("x")')
    expect((await auditOf(app, 'audit_exported')).map(({ details }) => details?.['what'])).toContain('test.many')
  })

  test('contains only the header if nothing matches', async () => {
    expect((await exported({ what: 'nothing.like.it' })).rows).toHaveLength(1)
  })

  test('refuses a day that does not exist', async () => {
    expect((await ask.post('audit/export', { dateFrom: '2026-02-30' })).status).toBe(422)
  })
})
