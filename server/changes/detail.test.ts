import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addYears, startOfDay, today } from '#common/kit/dates.ts'
import { type CardApp, cardApp } from '#server/policies/testing-cards.ts'
import { registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: CardApp
let seller: Seller
beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = (path: string, body: unknown, headers = seller.headers) => app.ask(`/api/policy/${path}`, { body, headers })
const detail = async (policyUuid: string, more = {}) => (await post('detail', { policyUuid, ...more })).body.data
const sell = async (): Promise<string> => (await sellAs(seller)).body.data.policyData.policyUuid
const labels = (files: { label: string }[]) => files.map(({ label }) => label)

it('versions count from one at the sale, as on its documents, also after a quote', async () => {
  const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
  const sold = await sellAs(seller, { policyUuid })
  expect(sold.body.data.policyData.policyUuid).toBe(policyUuid)
  const { policy } = (await post('change/terms', { policyUuid })).body.data
  expect([policy.version, policy.number]).toEqual([2, 1])
  const versions = (await post('versions', { policyUuid })).body.data
  expect(versions).toMatchObject([{ version: 2, number: 1 }])
})

it.each([
  ['fr-FR', 'Taxe espagnole sur les primes d’assurance'],
  ['pt-PT', 'Imposto espanhol sobre os prémios de seguro'],
])('details and versions name the taxes in the reader’s language, %s', async (language, name) => {
  const policyUuid = await sell()
  const read = async (path: string) => (await post(path, { policyUuid }, { ...seller.headers, 'accept-language': language })).body.data
  const { price } = await read('detail')
  const versions = await read('versions')
  expect(price.lines.find(({ kind }: { kind: string }) => kind === 'tax').label).toBe(name)
  expect(versions[0].taxes[0].label).toBe(name)
})

describe('the detail of a version', () => {
  it('is the policy as it stood, with people, price and documents of that version', async () => {
    const policyUuid = await sell()
    const { policy } = (await post('change/terms', { policyUuid })).body.data
    const [ana, leo] = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const change = {
      endDate: addDays(start, 11),
      buReference: 'Later',
      locale: 'pt-PT',
      users: [{ ...ana, name: 'Anna', email: 'anna@example.es' }, leo],
    }
    const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
    expect((await post('change', { policyUuid, version: 1, change, expectedDifference: 17.08, settle })).status).toBe(200)
    expect((await post('cancel', { policyUuid, version: 2, expectedRefund: 50.84, reason: 'other' })).status).toBe(200)
    expect(await detail(policyUuid)).toMatchObject({ version: 3, policy: { status: 'cancelled', total: 0 } })
    const [sale, changed, cancelled] = [
      await detail(policyUuid, { version: 1 }),
      await detail(policyUuid, { version: 2 }),
      await detail(policyUuid, { version: 3 }),
    ]
    expect(sale).toMatchObject({
      version: 1,
      locale: 'es-ES',
      policy: { status: 'purchased', total: 33.76, commission: 8.74, endDate: addDays(start, 7), policyTaker: 'Ana García López' },
      trip: { endDate: addDays(start, 7) },
      users: [{ name: 'Ana', email: 'ana@example.es' }, { name: 'Leo' }],
      price: { total: 33.76 },
    })
    expect(changed).toMatchObject({
      version: 2,
      locale: 'pt-PT',
      policy: { status: 'purchased', total: 50.84, commission: 13.16, policyTaker: 'Anna García López', buReference: 'Later' },
      users: [{ name: 'Anna', email: 'anna@example.es' }, { name: 'Leo' }],
      price: { total: 50.84 },
    })
    expect(changed.price.lines.find(({ kind }: { kind: string }) => kind === 'travel').amount).toBe(47)
    expect(cancelled).toMatchObject({ version: 3, policy: { status: 'cancelled', total: 0 } })
    for (const { version, files } of [sale, changed, cancelled])
      expect([...new Set(files.map((file: { version: number }) => file.version))]).toEqual([version])
    expect(labels(sale.files)).not.toEqual(labels(changed.files))
    expect(sale.payments).toEqual(cancelled.payments)
  })

  it('is unknown if there is no such version since the sale', async () => {
    const policyUuid = await sell()
    expect((await post('detail', { policyUuid, version: 2 })).status).toBe(404)
    expect((await post('detail', { policyUuid, version: 0 })).status).toBe(422)
    const quote = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
    expect((await post('detail', { policyUuid: quote, version: 1 })).status).toBe(200)
    expect((await post('detail', { policyUuid: quote, version: 2 })).status).toBe(404)
  })
})

describe('the detail of a policy', () => {
  it('lists the possible actions, as the terms of a change do', async () => {
    const policyUuid = await sell()
    const { can, openChange, withdrawal } = (await post('change/terms', { policyUuid })).body.data
    const shown = await detail(policyUuid)
    expect(shown).toMatchObject({ can, openChange, withdrawal })
    expect(shown.can.map(({ action }: { action: string }) => action)).toEqual(['change', 'cancel'])
    expect(Date.parse(shown.can[0].until)).toBeGreaterThan(Date.now())
    await post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'other' })
    expect((await detail(policyUuid, { version: 1 })).can).toEqual([
      { action: 'reinstate', until: new Date(startOfDay(start, 'Europe/Madrid')).toISOString() },
    ])
    const quote = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
    expect(await detail(quote)).toMatchObject({ can: [], openChange: null, withdrawal: null })
  })

  it('shows the money of undoing the last change, while it can be undone', async () => {
    const policyUuid = await sell()
    expect((await detail(policyUuid)).undo).toBeNull()
    const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
    await post('change', { policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08, settle })
    const { undo } = (await post('change/terms', { policyUuid })).body.data
    expect([undo, (await detail(policyUuid)).undo]).toEqual(Array.from({ length: 2 }, () => ({ charge: 0, refund: 17.08, stopped: 0 })))
    const { headers } = await signIn(app, 'viewer@azahar.example')
    expect((await post('detail', { policyUuid }, headers)).body.data.undo).toBeNull()
    await post('change/undo', { policyUuid, version: 2 })
    expect((await detail(policyUuid)).undo).toBeNull()
    await post('change', { policyUuid, version: 3, change: { endDate: addDays(start, 4) }, expectedDifference: -8.22 })
    expect((await detail(policyUuid)).undo).toEqual({ charge: 8.22, refund: 0, stopped: 0 })
  })

  it('shows the waiting change and the right of withdrawal, without forbidden actions', async () => {
    const distance = { channel: 'distance', askedToBegin: true, endDate: addDays(start, 35) }
    const policyUuid = (await sellAs(seller, distance)).body.data.policyData.policyUuid
    const change = { endDate: addDays(start, 80) }
    const { charge } = (await post('change/preview', { policyUuid, version: 1, change })).body.data
    const settle = { offer: { email: 'ana@example.es' } }
    const offered = await post('change', { policyUuid, version: 1, change, expectedDifference: charge, settle })
    expect(offered.body.error, offered.text).toBeUndefined()
    const { changeUuid, until } = offered.body.data
    const shown = await detail(policyUuid)
    expect(shown.withdrawal).toEqual({ right: 'EU14', until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect(shown.openChange).toMatchObject({ changeUuid, kind: 'change', state: 'offered', until, charge, offeredTo: 'ana@example.es' })
    expect(Date.parse(shown.openChange.at)).toBeLessThan(Date.parse(until))
    const { headers } = await signIn(app, 'viewer@azahar.example')
    const seen = (await post('detail', { policyUuid }, headers)).body.data
    expect(seen).toMatchObject({ can: [], openChange: { changeUuid }, withdrawal: shown.withdrawal })
  })

  it('says what a claim leaves to change, and why the rest is not possible', async () => {
    const { policyUuid, policyNumber } = (await sellAs(seller)).body.data.policyData
    expect(await detail(policyUuid)).toMatchObject({ cannot: [], claim: null })
    const types: { uuid: string; kind: string }[] = (await app.ask('/api/tickets/types', { headers: seller.headers })).body.data
    const claim = {
      typeUuid: types.find(({ kind }) => kind === 'claim')?.uuid,
      policyNumber,
      incidentDate: today(new Date(), 'Europe/Madrid'),
    }
    const words = { subject: 'Enfermo', description: 'No viaja', contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
    const filed = await app.ask('/api/tickets/claims', { body: { ...claim, ...words }, headers: seller.headers })
    expect(filed.status, filed.text).toBe(200)
    const shown = await detail(policyUuid)
    expect(shown.can).toEqual([{ action: 'change', until: null, only: 'contact' }])
    expect(shown.cannot).toEqual([
      { action: 'change', code: 'change.claimed' },
      { action: 'cancel', code: 'cancel.claimed' },
    ])
    expect(shown.claim).toBe('open')
    const { can, cannot } = (await post('change/terms', { policyUuid })).body.data
    expect({ can, cannot }).toEqual({ can: shown.can, cannot: shown.cannot })
    const { headers } = await signIn(app, 'viewer@azahar.example')
    expect((await post('detail', { policyUuid }, headers)).body.data).toMatchObject({ can: [], cannot: [], claim: 'open' })
    const { headers: support } = await signIn(app, 'admin@portolan.example')
    const { ticketUuid: uuid } = filed.body.data
    const closed = await app.ask(`/api/tickets/${uuid}/status`, { method: 'PUT', body: { status: 'closed' }, headers: support })
    expect(closed.status, closed.text).toBe(200)
    expect(await detail(policyUuid)).toMatchObject({ claim: 'closed', can: [{ only: 'contact' }] })
  })

  it('says how a cancelled policy ended, and when it can no longer be reinstated', async () => {
    const policyUuid = await sell()
    expect((await detail(policyUuid)).ended).toBeNull()
    await post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled', note: 'Huelga' })
    const { ended, cannot } = await detail(policyUuid)
    expect(ended).toEqual({
      kind: 'cancellation',
      at: expect.any(String),
      refund: 33.76,
      basis: 'undo',
      reason: 'trip_cancelled',
      note: 'Huelga',
    })
    expect(cannot).toEqual([])
    const far = { channel: 'distance', askedToBegin: true, endDate: addDays(start, 35) }
    const withdrawn = (await sellAs(seller, far)).body.data.policyData
    const body = { policyUuid: withdrawn.policyUuid, version: 1, as: 'withdrawal', expectedRefund: withdrawn.total }
    const made = await post('cancel', body)
    expect(made.body.error, made.text).toBeUndefined()
    expect(await detail(withdrawn.policyUuid)).toMatchObject({
      ended: { kind: 'withdrawal', refund: withdrawn.total, reason: null },
      cannot: [{ action: 'reinstate', code: 'reinstate.withdrawn' }],
    })
  })

  it('says from when cancellation is covered, by the booking’s day at the sale', async () => {
    expect((await detail(await sell())).cancellationFrom).toBeNull()
    const cancellation = seller.products.find(({ code }) => code === 'CAN')
    const day = today(new Date(), 'Europe/Madrid')
    const from = async (reservationDate: string) => {
      const trip = { startDate: addDays(start, 40), endDate: addDays(start, 47) }
      const sale = await sellAs(seller, { ...trip, productUUID: cancellation.uuid, insurancedAmount: 2000, reservationDate })
      expect(sale.body.error, sale.text).toBeUndefined()
      const { policyUuid } = sale.body.data.policyData
      const { cancellationFrom, purchasedAt } = await detail(policyUuid)
      return { policyUuid, hours: (Date.parse(cancellationFrom) - Date.parse(purchasedAt)) / 3_600_000 }
    }
    expect((await from(day)).hours).toBe(0)
    const late = await from(addDays(day, -20))
    expect(late.hours).toBe(72)
    // A later change names the booking's day of an addition.
    const change = { insurancedAmount: 2400, reservationDate: day }
    const { charge } = (await post('change/preview', { policyUuid: late.policyUuid, version: 1, change })).body.data
    const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
    expect((await post('change', { policyUuid: late.policyUuid, version: 1, change, expectedDifference: charge, settle })).status).toBe(200)
    const { cancellationFrom, purchasedAt } = await detail(late.policyUuid)
    expect((Date.parse(cancellationFrom) - Date.parse(purchasedAt)) / 3_600_000).toBe(72)
  })

  it('says whether a policy of many trips insures the cancellation of each', async () => {
    const annual = { productUUID: seller.products.find(({ code }) => code === 'ANN').uuid, endDate: addDays(addYears(start, 1), -1) }
    const { policyUuid } = (await sellAs(seller, { startDate: start, ...annual })).body.data.policyData
    expect(await detail(policyUuid)).toMatchObject({ cancellationFrom: null, cancellationOfEach: true })
    expect(await detail(await sell())).toMatchObject({ cancellationFrom: null, cancellationOfEach: false })
  })

  it('marks the documents that hold now: certificate, product documents and those of the last step', async () => {
    const policyUuid = await sell()
    const currents = async () => {
      const { files } = await detail(policyUuid)
      return files.map(({ label, current }: { label: string; current: boolean }) => [label, current])
    }
    expect((await currents()).every(([, current]: [string, boolean]) => current)).toBe(true)
    const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
    await post('change', { policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08, settle })
    expect(await currents()).toEqual([
      ['Suplemento de la póliza, versión 2', true],
      ['Certificado de seguro, versión 2', true],
      ['Recibo de prima, versión 2', true],
      ['Recibo de prima', false],
      [expect.stringContaining('IPID'), true],
      ['Condiciones generales', true],
    ])
    await post('cancel', { policyUuid, version: 2, expectedRefund: 50.84, reason: 'other' })
    expect((await currents()).filter(([, current]: [string, boolean]) => current)).toEqual([
      [expect.stringContaining('anulación'), true],
      [expect.stringContaining('versión 3'), true],
      [expect.stringContaining('IPID'), true],
      ['Condiciones generales', true],
    ])
  })
})
