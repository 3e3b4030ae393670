import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let ahead = 0
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const hours = (many: number): void => void (ahead += many * 3_600_000)
const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = (path: string, body: unknown, headers = {}) =>
  app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...headers } })
const sell = async (changes = {}): Promise<string> => (await sellAs(seller, changes)).body.data.policyData.policyUuid
const longer = { change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
const change = (policyUuid: string, body: object, headers = {}) => post('change', { policyUuid, version: 1, ...body }, headers)
const cancel = (policyUuid: string, body: object, headers = {}) =>
  post('cancel', { policyUuid, version: 1, reason: 'trip_cancelled', ...body }, headers)
const terms = async (policyUuid: string) => (await post('change/terms', { policyUuid })).body.data
const can = async (policyUuid: string) => (await terms(policyUuid)).can.map(({ action }: { action: string }) => action)
const ledger = async (policyUuid: string) =>
  (await app.world.database.kysely.selectFrom('money_book').selectAll().where('policy_id', '=', policyUuid).orderBy('id').execute()).map(
    ({ kind, agency_account: cents }) => [kind, cents],
  )
const isSound = async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
}

describe('a change on account', () => {
  it('charges the difference, makes a version and shows it in lists, detail and search', async () => {
    const id = await sell({ buReference: 'Deed 1' })
    const found = async () => (await post('list', { status: 'purchased', searchData: 'deed 1' })).body.data
    expect(await found()).toMatchObject({ total: 1, sums: { total: 33.76 } })
    const { status, body } = await change(id, { ...longer, change: { ...longer.change, buReference: 'Deed 1 moved 77' } })
    expect([status, body.data]).toMatchObject([
      200,
      {
        kind: 'change',
        version: 2,
        charge: 17.08,
        refund: 0,
        policyData: { total: 50.84, commission: 13.16, endDate: addDays(start, 11) },
      },
    ])
    const detail = (await post('detail', { policyUuid: id })).body.data
    expect(detail).toMatchObject({
      policy: { total: 50.84, buReference: 'Deed 1 moved 77', status: 'purchased' },
      trip: { endDate: addDays(start, 11) },
      price: { total: 50.84 },
      payments: [{ amount: 33.76 }, { amount: 17.08, gateway: 'Deferred', state: 'settled' }],
    })
    expect(detail.history.map(({ what }: { what: string }) => what)).toEqual(['registered', 'purchased', 'changed'])
    const listed = (await post('list', { status: 'purchased', searchData: 'moved 77' })).body.data
    expect(listed).toMatchObject({ total: 1, sums: { total: 50.84 } })
    expect(await found()).toMatchObject({ total: 1, sums: { total: 50.84 } })
    expect(await ledger(id)).toEqual([
      ['sale', 3376],
      ['change', 1708],
    ])
    await isSound()
  })

  it('refunds the latest payment first, while an end would refund everything', async () => {
    const id = await sell()
    await change(id, longer)
    const { body } = await change(id, { version: 2, change: { endDate: addDays(start, 4) }, expectedDifference: -25.3 })
    expect(body.data).toMatchObject({ refund: 25.3, policyData: { total: 25.54 } })
    expect(body.data.routes.map(({ amount }: { amount: number }) => amount)).toEqual([17.08, 8.22])
    await isSound()
  })

  it('is refused as outdated after another one, and only one of two at once is made', async () => {
    const id = await sell()
    const both = await Promise.all([change(id, longer), change(id, longer)])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.error).toBe('change.stale')
    await isSound()
  })

  it('that is sent again with its key gets the same reply and charges once', async () => {
    const id = await sell()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const [first, second] = [await change(id, longer, key), await change(id, longer, key)]
    expect(second.body).toEqual(first.body)
    // A stored reply may be lost in a crash: the movement knows its request.
    await app.world.database.kysely.deleteFrom('idempotency').execute()
    const third = await change(id, longer, key)
    expect([third.status, third.body.data.changeUuid]).toEqual([200, first.body.data.changeUuid])
    expect(await ledger(id)).toHaveLength(2)
  })

  it('refuses another difference with the new preview, and leaves everything as it was', async () => {
    const id = await sell()
    const refused = await change(id, { ...longer, expectedDifference: 17.07 })
    expect(refused.body).toMatchObject({ error: 'change.price_changed', data: { charge: 17.08 } })
    expect((await change(id, { ...longer, expectedRefund: 1 })).body.error).toBe('change.price_changed')
    expect((await change(id, { ...longer, expectedDifference: 17.081 })).status).toBe(422)
    expect((await terms(id)).policy).toMatchObject({ version: 1, charged: { total: 3376 } })
    expect(await ledger(id)).toHaveLength(1)
  })

  it('keeps the ids of people, and gives a lasting one to a person who joins', async () => {
    const id = await sell()
    const before = (await terms(id)).policy.people
    const users = before.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const eva = { name: 'Eva', middleName: 'Gil', lastName: 'Ruiz', birthDate: '1991-02-03', docNumber: '87654321X' }
    const asked = { users: [...users, eva] }
    const preview = (await post('change/preview', { policyUuid: id, version: 1, change: asked })).body.data
    await change(id, { change: asked, expectedDifference: preview.difference.total })
    const after = (await terms(id)).policy.people
    expect(after.map(({ personUuid }: { personUuid: string }) => personUuid).slice(0, 2)).toEqual(
      users.map((user: { personUuid: string }) => user.personUuid),
    )
    const staying = [after[0], after[2]].map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const without = { users: staying }
    const { difference } = (await post('change/preview', { policyUuid: id, version: 2, change: without })).body.data
    await change(id, { version: 2, change: without, expectedDifference: difference.total })
    expect((await terms(id)).policy.people).toEqual([after[0], after[2]])
    await isSound()
  })

  it('is taken back within the hour with its money, and not after it', async () => {
    const id = await sell()
    await change(id, longer)
    expect(await can(id)).toContain('undo')
    const undone = await post('change/undo', { policyUuid: id, version: 2 })
    expect(undone.body.data).toMatchObject({ kind: 'undo', version: 3, refund: 17.08, policyData: { total: 33.76 } })
    expect((await post('change/undo', { policyUuid: id, version: 3 })).body.error).toBe('change.expired')
    await change(id, { ...longer, version: 3 })
    hours(1)
    expect((await post('change/undo', { policyUuid: id, version: 4 })).body.error).toBe('change.expired')
    await isSound()
  })
})

describe('the documents of a changed policy', () => {
  it.each([
    ['', false],
    [', also one from before there were versions', true],
  ])('are those of the new version, and a link to an older one opens that version%s', async (_, isOld) => {
    const sold = (await sellAs(seller)).body.data
    const id = sold.policyData.policyUuid
    if (isOld) await app.world.database.kysely.updateTable('files').set({ policy_version: null }).where('policy_id', '=', id).execute()
    const changed = (await change(id, longer)).body.data
    const uuids = (files: { uuid: string }[]) => files.map(({ uuid }) => uuid)
    expect(uuids(changed.files).some(uuid => uuids(sold.files).includes(uuid))).toBe(false)
    const open = async (uuid: string) => (await app.context.http.inject({ url: `/api/files/${uuid}`, headers: seller.headers })).rawPayload
    const [older, newer] = [await open(sold.files[0].uuid), await open(changed.files[0].uuid)]
    expect([older, newer].map(pdf => pdf.subarray(0, 4).toString())).toEqual(['%PDF', '%PDF'])
    expect(older.equals(newer)).toBe(false)
    const files = await app.world.database.kysely
      .selectFrom('files')
      .select(['policy_version', 'state'])
      .where('policy_id', '=', id)
      .execute()
    expect(new Set(files.map(({ policy_version: version }) => version))).toEqual(new Set([isOld ? null : 1, 2]))
    await isSound()
    await cancel(id, { version: 2, expectedRefund: 50.84 })
    await isSound()
  })
})

describe('a cancellation on account', () => {
  it('credits everything before departure, and is reinstated at the same price', async () => {
    const id = await sell()
    hours(2)
    const { body } = await cancel(id, { expectedRefund: 33.76 })
    expect(body.data).toMatchObject({ kind: 'cancellation', policyData: { status: 'cancelled', total: 0 } })
    expect(body.data.refund).toEqual({
      amount: 33.76,
      state: 'done',
      routes: [{ gateway: 'Deferred', paymentUuid: expect.any(String), amount: 33.76 }],
    })
    expect(await can(id)).toEqual(['reinstate'])
    expect((await cancel(id, { version: 2, expectedRefund: 33.76 })).body.error).toBe('cancel.already')
    expect((await change(id, { ...longer, version: 2 })).body.error).toBe('change.cancelled')
    const back = await post('reinstate', { policyUuid: id, version: 2, expectedCharge: 33.76 })
    expect(back.body.data).toMatchObject({ charge: 33.76, policyData: { status: 'purchased', total: 33.76, commission: 8.74 } })
    expect((await ledger(id)).map(([, cents]) => cents)).toEqual([3376, -3376, 3376])
    const versions = (await post('versions', { policyUuid: id })).body.data
    expect(versions.map(({ kind, total, difference }: Record<string, unknown>) => [kind, total, difference])).toEqual([
      ['sale', 33.76, 0],
      ['cancellation', 0, -33.76],
      ['reinstatement', 33.76, 33.76],
    ])
    await isSound()
  })

  it('needs a reason', async () => {
    const policyUuid = await sell()
    const { status, body } = await cancel(policyUuid, { expectedRefund: 33.76, reason: null })
    expect([status, body.fields]).toMatchObject([422, [{ path: 'reason', rule: 'required' }]])
  })

  it('refuses another refund with the new preview', async () => {
    const id = await sell()
    expect((await cancel(id, { expectedRefund: 33 })).body).toMatchObject({ error: 'change.price_changed', data: { refund: 33.76 } })
    expect((await terms(id)).policy.status).toBe('purchased')
  })

  it('is not reinstated at another charge, and the reply has the new preview', async () => {
    const id = await sell()
    await cancel(id, { expectedRefund: 33.76 })
    const back = await post('reinstate', { policyUuid: id, version: 2, expectedCharge: 33.75 })
    expect(back.body).toMatchObject({ error: 'change.price_changed', data: { charge: 33.76 } })
    expect((await terms(id)).policy.status).toBe('cancelled')
  })
})

describe('the versions of a policy', () => {
  it('show the commission to those who sell, and to no one else', async () => {
    const id = await sell()
    await change(id, longer)
    const commissionsFor = async ({ headers }: { headers: Record<string, string> }) =>
      (await post('versions', { policyUuid: id }, headers)).body.data.map(({ commission }: { commission: unknown }) => commission)
    expect(await commissionsFor(seller)).toEqual([null, 4.42])
    expect(await commissionsFor(await signIn(app, 'viewer@azahar.example'))).toEqual([null, null])
  })

  it('keep their state and the ids of their people, and audit the view', async () => {
    const id = await sell()
    await change(id, { ...longer, version: 1 })
    const versions = (await post('versions', { policyUuid: id })).body.data
    const [sale, changed] = versions
    expect(sale).toMatchObject({ endDate: addDays(start, 7), premium: 31.2, total: 33.76, trip: { countriesDestinationId: '380' } })
    expect(changed).toMatchObject({ endDate: addDays(start, 11), premium: 47, total: 50.84, kind: 'change' })
    expect(changed.taxes).not.toEqual(sale.taxes)
    expect([sale.fields, changed.fields]).toEqual([[], [{ path: 'endDate', from: addDays(start, 7), to: addDays(start, 11) }]])
    expect(sale.users.map(({ personUuid, name }: Record<string, unknown>) => [personUuid, name])).toEqual(
      (await terms(id)).policy.people.map(({ personUuid, name }: Record<string, unknown>) => [personUuid, name]),
    )
    const views = await app.world.database.kysely.selectFrom('audit').select('object').where('action', '=', 'policy.seen').execute()
    expect(views.filter(({ object }) => object === id).length).toBeGreaterThanOrEqual(2)
  })
})

describe('the fields of a version', () => {
  it('are those that its step changed of trip, people, contact, reference and language', async () => {
    const id = await sell({ buReference: 'Fields 1' })
    const [holder, companion] = (await terms(id)).policy.people
    const joins = {
      name: 'Eva',
      middleName: 'Ruiz',
      lastName: 'Sanz',
      birthDate: '1992-02-02',
      docNumber: 'AB1234567',
      documentKind: 'passport',
    }
    const asked = {
      startDate: addDays(start, 1),
      countriesDestinationId: '250',
      users: [{ personUuid: holder.personUuid, email: 'ana.new@example.es' }, joins],
      buReference: 'Fields 2',
      locale: 'pt-PT',
    }
    const { difference } = (await post('change/preview', { policyUuid: id, version: 1, change: asked })).body.data
    expect((await change(id, { change: asked, expectedDifference: difference.total })).body.error).toBeUndefined()
    expect((await post('change/undo', { policyUuid: id, version: 2 })).status).toBe(200)
    const [, changed, undone] = (await post('versions', { policyUuid: id })).body.data
    const eva = changed.users.at(-1).personUuid
    const fields = [
      ['startDate', start, addDays(start, 1)],
      ['countriesDestinationId', '380', '250'],
      [`users[${holder.personUuid}].email`, holder.email, 'ana.new@example.es'],
      [`users[${companion.personUuid}]`, 'Leo García Gil', null],
      [`users[${eva}]`, null, 'Eva Ruiz Sanz'],
      ['buReference', 'Fields 1', 'Fields 2'],
      ['locale', 'es-ES', 'pt-PT'],
    ]
    const pairs = (version: { fields: { path: string; from: unknown; to: unknown }[] }) =>
      version.fields.map(({ path, from, to }) => [path, from, to])
    expect(pairs(changed)).toEqual(fields)
    expect(undone.kind).toBe('undo')
    const [starts, to, email, leaves, joined, ...words] = fields.map(([path, was, is]) => [path, is, was])
    expect(pairs(undone)).toEqual([starts, to, email, joined, leaves, ...words])
    expect(await terms(id)).toMatchObject({ policy: { reference: 'Fields 1', locale: 'es-ES' } })
  })
})

it('the versions name another country of origin and another policyholder', async () => {
  const id = await sell()
  const [first, second] = (await terms(id)).policy.people
  const asked = { countryOriginId: 250, users: [{ personUuid: second.personUuid, ...reach }, { personUuid: first.personUuid }] }
  const { difference } = (await post('change/preview', { policyUuid: id, version: 1, change: asked })).body.data
  expect((await change(id, { change: asked, expectedDifference: difference.total })).body.error).toBeUndefined()
  const [, changed] = (await post('versions', { policyUuid: id })).body.data
  expect(changed.fields).toEqual(
    expect.arrayContaining([
      { path: 'countryOriginId', from: 724, to: 250 },
      { path: 'users[0]', from: 'Ana García López', to: 'Leo García Gil' },
    ]),
  )
})

describe('a movement', () => {
  it('on another unit’s policy returns 404, and without the permission 403', async () => {
    const id = await sell()
    const rival = await signIn(app, 'agent@rotta.example')
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await change(id, longer, rival.headers)).status).toBe(404)
    expect((await cancel(id, { expectedRefund: 33.76 }, viewer.headers)).status).toBe(403)
    expect((await post('versions', { policyUuid: id }, rival.headers)).status).toBe(404)
  })

  it('keeps payments equal to charges over a sequence of changes', async () => {
    const id = await sell()
    let version = 1
    for (const days of [9, 12, 5, 20, 8]) {
      const asked = { endDate: addDays(start, days) }
      const { difference } = (await post('change/preview', { policyUuid: id, version, change: asked })).body.data
      expect((await change(id, { version, change: asked, expectedDifference: difference.total })).status).toBe(200)
      version += 1
      const { policy } = await terms(id)
      const left = policy.payments.reduce((sum: number, { left: cents }: { left: number }) => sum + cents, 0)
      expect(left).toBe(policy.charged.total)
    }
    await isSound()
  })
})
