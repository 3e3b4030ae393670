import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { leo, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let sold: string
let ahead = 0
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
  sold = (await sellAs(seller)).body.data.policyData.policyUuid
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = (path: string, body: unknown, headers = seller.headers) => app.ask(path, { body, headers })
const preview = (change: unknown, more = {}) =>
  post('/api/policy/change/preview', { policyUuid: sold, version: 1, change, ...more }, { ...seller.headers, 'accept-language': 'en-EN' })
const terms = async () => (await post('/api/policy/change/terms', { policyUuid: sold })).body.data

describe('the terms of a change', () => {
  it('are the rules’ input of the policy as it was sold, and audit the view', async () => {
    const { policy, can, now, gateways } = await terms()
    expect(policy).toMatchObject({
      status: 'purchased',
      version: 1,
      holder: 'travels',
      trip: { startDate: start, endDate: addDays(start, 7), destinations: [380] },
      charged: { premium: 3120, total: 3376, commission: 874 },
      segments: [{ from: start, to: addDays(start, 7), premium: 3120, joined: 0 }],
      payments: [{ gateway: 'Deferred', left: 3376 }],
      claimed: false,
      channel: 'counter',
    })
    expect(new Set(policy.people.map(({ personUuid }: { personUuid: string }) => personUuid)).size).toBe(2)
    expect(can.map(({ action }: { action: string }) => action)).toEqual(['change', 'cancel'])
    expect(now.gateways).toContain('Deferred')
    expect(gateways.map(({ name }: { name: string }) => name)).toEqual(now.gateways)
    const views = await app.world.database.kysely.selectFrom('audit').select('object').where('action', '=', 'policy.seen').execute()
    expect(views.map(({ object }) => object)).toContain(sold)
  })

  it('keep the channel of the sale, by which a client at a distance may withdraw', async () => {
    const far = await sellAs(seller, { channel: 'distance', askedToBegin: true, endDate: addDays(start, 20) })
    const { data } = (await post('/api/policy/change/terms', { policyUuid: far.body.data.policyData.policyUuid })).body
    expect(data.policy).toMatchObject({ channel: 'distance', askedToBegin: true })
  })
})

describe('the preview of a change', () => {
  it('says the difference line by line, the commission and the way of the money', async () => {
    const { body } = await preview({ endDate: addDays(start, 11) })
    expect(body.data).toMatchObject({
      possible: true,
      currency: 'EUR',
      before: { total: 33.76 },
      after: { premium: 47, total: 50.84 },
      difference: { premium: 15.8, total: 17.08 },
      charge: 17.08,
      commission: { amount: 4.42 },
      routes: [{ gateway: 'Deferred', paymentUuid: null, amount: 17.08 }],
    })
  })

  it('refuses with the code and its message at the field', async () => {
    const stale = (await preview({ endDate: addDays(start, 11) }, { version: 7 })).body.data
    expect(stale.refusals).toEqual([expect.objectContaining({ code: 'change.stale', path: '' })])
    const { refusals } = (await preview({})).body.data
    expect(refusals).toEqual([{ code: 'change.nothing', path: '', message: 'You have not changed anything yet.', why: null }])
  })

  it('first checks changed people by the form of a sale', async () => {
    const { policy } = await terms()
    const [ana, second] = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const wrong = (await preview({ users: [ana, { ...second, docNumber: '1' }] })).body.data
    expect(wrong).toMatchObject({ possible: false, refusals: [{ code: 'validation.failed', path: 'users[1].docNumber' }] })
    const mended = (await preview({ users: [ana, { ...second, name: 'Leonardo' }] })).body.data
    expect(mended).toMatchObject({ possible: true, charge: 0, people: [{ what: 'same' }, { what: 'mended' }] })
    const joined = (await preview({ users: [ana, second, { ...leo, name: 'Eva', docNumber: '87654321X' }] })).body.data
    expect(joined.people.map(({ what }: { what: string }) => what)).toEqual(['same', 'same', 'joins'])
    expect(joined.charge).toBeGreaterThan(0)
  })

  it('checks a traveller who becomes the policyholder, which needs more facts', async () => {
    const { policy } = await terms()
    const [first, second] = policy.people
    const swap = (more: object) => preview({ users: [{ personUuid: second.personUuid, ...more }, { personUuid: first.personUuid }] })
    const wrong = (await swap({})).body.data.refusals.map(({ path }: { path: string }) => path)
    expect(wrong).toEqual(expect.arrayContaining(['users[0].email', 'users[0].phoneNumber', 'users[0].address', 'users[0].city']))
    const young = (await swap({ ...reach, birthDate: addDays(start, -5000) })).body.data.refusals
    expect(young).toMatchObject([{ code: 'validation.failed', path: 'users[0].birthDate' }])
    expect((await swap(reach)).body.data).toMatchObject({ possible: true, people: [{ what: 'same' }, { what: 'same' }] })
  })

  it('checks a residence by the people whom the product insures, even in old editions', async () => {
    const { policy } = await terms()
    const [first, second] = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const refusals = async () =>
      (await preview({ users: [{ ...first, residenceCountryId: 724 }, second], countryOriginId: 250 })).body.data.refusals
    const message = 'This product insures travellers who live in the country of origin: choose that country, or another product.'
    const residence = { code: 'validation.failed', path: 'users[0].residenceCountryId', message, why: null }
    expect(await refusals()).toEqual([residence])
    await app.world.database.asService(async tx => {
      await sql`insert into product_versions (product_id, version, loaded_at, hash, content) select product_id, version + 1, loaded_at, hash || '-next', content
        from product_versions where content ->> 'code' = 'ESS'`.execute(tx)
      await sql`update product_versions set content = content #- '{settings,insures}', hash = hash || '-silent' where version = 1`.execute(
        tx,
      )
    })
    expect((await terms()).policy.edition.basis.settings.insures).toBe('origin')
    expect(await refusals()).toEqual([residence])
  })

  it('refuses a person of another policy as unknown', async () => {
    const other = (await sellAs(seller, { endDate: addDays(start, 9) })).body.data.policyData.policyUuid
    const { policy } = (await post('/api/policy/change/terms', { policyUuid: other })).body.data
    const [{ personUuid }] = policy.people
    const [, second] = (await terms()).policy.people
    const users = [{ personUuid }, { personUuid: second.personUuid }]
    const { refusals } = (await preview({ users })).body.data
    expect(refusals.map(({ path }: { path: string }) => path)).toEqual(['users[0].personUuid'])
  })

  it.each([{ product: 'TOT' }, { startDate: '2026-02-30' }, { users: [] }, { insurancedAmount: -1 }, { users: [{ personUuid: 'x' }] }])(
    'refuses %o as malformed',
    async change => expect((await preview(change)).status).toBe(422),
  )

  it('reports an invalid date at its field', async () => {
    const { body } = await preview({ endDate: '2026-02-30' })
    expect(body.fields.map(({ path, rule }: Record<string, string>) => [path, rule])).toEqual([['change.endDate', 'validDate']])
  })
})

it('a policy whose trip is over is refused before the form checks people who join', async () => {
  const joiner = { name: '', middleName: '', birthDate: null }
  const { policy } = await terms()
  const users = [...policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid })), joiner]
  const codes = async () => {
    const { refusals } = (await preview({ users })).body.data
    return new Set(refusals.map(({ code }: { code: string }) => code))
  }
  expect(await codes()).toEqual(new Set(['validation.failed']))
  ahead = 40 * 24 * 3_600_000
  seller = await sellerOf(app)
  expect(await codes()).toEqual(new Set(['change.ended']))
  ahead = 0
  seller = await sellerOf(app)
})

describe('the preview of an ending', () => {
  it('lists all ways, the best first, and says when less comes back', async () => {
    const { data } = (await post('/api/policy/cancel/preview', { policyUuid: sold, version: 1 })).body
    expect(data).toMatchObject({ possible: true, kind: 'cancellation', basis: 'undo', refund: 33.76, after: { total: 0 } })
    expect(data.options.map(({ basis }: { basis: string }) => basis)).toEqual(['undo', 'before_departure'])
    const without = (await post('/api/policy/cancel/preview', { policyUuid: sold, version: 1, as: 'withdrawal' })).body.data
    expect(without.refusals).toMatchObject([{ code: 'withdraw.none', why: 'short' }])
  })

  it('says that a policy in force needs no reinstating', async () => {
    const { data } = (await post('/api/policy/reinstate/preview', { policyUuid: sold, version: 1 })).body
    expect(data).toMatchObject({ possible: false, refusals: [{ code: 'reinstate.not_cancelled' }] })
  })
})

describe('a preview', () => {
  it('refuses a saved quote, which is registered anew', async () => {
    const policyUuid = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
    expect((await preview({}, { policyUuid })).body.error).toBe('change.not_sold')
  })

  it('returns 404 for another unit’s policy, and 403 without the permission', async () => {
    const rival = await signIn(app, 'agent@rotta.example')
    const viewer = await signIn(app, 'viewer@azahar.example')
    for (const path of ['change/terms', 'change/preview', 'cancel/preview', 'reinstate/preview']) {
      const body = {
        policyUuid: sold,
        ...(path === 'change/terms' ? {} : { version: 1 }),
        ...(path === 'change/preview' ? { change: {} } : {}),
      }
      expect((await post(`/api/policy/${path}`, body, rival.headers)).status, path).toBe(404)
      expect((await post(`/api/policy/${path}`, body, viewer.headers)).status, path).toBe(403)
    }
  })
})
