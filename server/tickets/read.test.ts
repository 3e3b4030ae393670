import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countedAtOnce } from '#common/views/views.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { sellAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { auditRows, demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let manager: SignedIn
let admin: SignedIn
let foreign: SignedIn
let types: { uuid: string; name: string; kind: string }[]

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  manager = await signIn(app, 'manager@azahar.example')
  admin = await signIn(app, 'admin@portolan.example', 'Viajes Azahar')
  foreign = await signIn(app, 'agent@rotta.example')
  types = (await app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const { policyNumber } = (await sellAs(seller)).body.data.policyData
  await file('claims', { typeUuid: typeOf('Equipaje'), policyNumber, incidentDate: '2026-01-15' })
  const cancelled = { typeUuid: typeOf('Cancelación del viaje'), policyNumber, incidentDate: '2026-01-15' }
  const { ticketUuid } = (await file('claims', cancelled, manager)).body.data
  await app.ask(`/api/tickets/${ticketUuid}/status`, { method: 'PUT', headers: admin.headers, body: { status: 'in_progress' } })
  await file('requests', { typeUuid: typeOf('Consulta sobre coberturas') })
})
afterAll(() => app.stop())
beforeEach(() => app.world.database.kysely.deleteFrom('policy_views').execute())

type By = Pick<SignedIn, 'headers'>
type Listed = { builtIn: Record<string, number | null>; views: { viewUuid: string; name: string; params: object; count: number | null }[] }

const typeOf = (name: string) => types.find(type => type.name === name)?.uuid ?? ''
const contact = { subject: 'Maleta', description: 'No llegó.', contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
const file = (path: string, body: object, { headers }: By = seller) =>
  app.ask(`/api/tickets/${path}`, { headers, body: { ...contact, ...body } })
const ask = (method: 'POST' | 'PUT' | 'DELETE', body: object, { headers }: By = seller) =>
  app.ask('/api/tickets/views', { method, headers, body })
const viewsOf = async (by: By = seller, body: object = {}): Promise<Listed> => (await ask('POST', { list: 'claim', ...body }, by)).body.data
const namesOf = async (by: By = seller, body: object = {}) => (await viewsOf(by, body)).views.map(({ name }) => name)
const save = (body: object, by: By = seller) => ask('PUT', { list: 'claim', name: 'View', params: {}, ...body }, by)
const totalOf = async (body: object, { headers }: By = seller) =>
  (await app.ask('/api/tickets/list', { headers, body: { kind: 'claim', ...body } })).body.data.total

describe('the counts of ticket views', () => {
  it('are those of the lists', async () => {
    expect((await viewsOf()).builtIn).toEqual({ all: 2, open: 1, in_progress: 1, answered: 0, closed: 0, mine: 1 })
    expect((await viewsOf(seller, { list: 'request' })).builtIn).toMatchObject({ all: 1, open: 1, mine: 1 })
    expect((await viewsOf(admin)).builtIn).toMatchObject({ all: 2, mine: 0 })
    expect((await viewsOf(foreign)).builtIn).toMatchObject({ all: 0, open: 0, mine: 0 })
    expect(await totalOf({ mine: true })).toBe(1)
    expect(await totalOf({ typeUuid: typeOf('Equipaje') })).toBe(1)
    expect(await totalOf({ typeUuid: typeOf('Equipaje'), mine: true }, manager)).toBe(0)
    expect(await totalOf({ typeUuid: crypto.randomUUID() })).toBe(0)
  })

  it('are limited to own tickets, as the list is', async () => {
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    expect((await viewsOf(await signIn(app, 'manager@azahar.example'))).builtIn).toMatchObject({ all: 1, open: 0, in_progress: 1, mine: 1 })
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })

  it('need a session', async () => expect((await app.ask('/api/tickets/views', { body: { list: 'claim' } })).status).toBe(401))

  it('are left out among very many tickets, unless they must be exact', async () => {
    const numbers = (next: number) =>
      app.world.database.kysely
        .updateTable('ticket_numbers')
        .set({ next_number: next })
        .where('business_unit_id', '=', demoScope('azahar').businessUnitId)
        .execute()
    await numbers(countedAtOnce + 1)
    expect(Object.values((await viewsOf()).builtIn)).toEqual(Array.from({ length: 6 }, () => null))
    expect((await viewsOf(seller, { exact: true })).builtIn).toMatchObject({ all: 2, open: 1 })
    await numbers(countedAtOnce)
    expect((await viewsOf()).builtIn).toMatchObject({ all: 2, open: 1 })
  })
})

describe('a saved view of tickets', () => {
  it('is the user’s alone, in its list and agency', async () => {
    const params = { status: 'open', topic: typeOf('Equipaje'), by: 'me' }
    const { viewUuid } = (await save({ name: ' Luggage ', params })).body.data
    expect((await viewsOf()).views).toEqual([{ viewUuid, name: 'Luggage', params, count: 1 }])
    expect(await namesOf(seller, { list: 'request' })).toEqual([])
    for (const other of [manager, foreign, admin]) {
      expect(await namesOf(other)).toEqual([])
      expect((await ask('DELETE', { viewUuid }, other)).status).toBe(404)
    }
    const policyViews = { method: 'DELETE' as const, headers: seller.headers, body: { viewUuid } }
    expect((await app.ask('/api/policy/views', policyViews)).status).toBe(404)
    expect((await ask('DELETE', { viewUuid })).status).toBe(200)
    expect(await namesOf()).toEqual([])
  })

  it('replaces an earlier one of the same name', async () => {
    const first = (await save({ name: 'Now', params: { status: 'open' } })).body.data
    expect((await save({ name: 'Now', params: { status: 'in_progress' } })).body.data).toEqual(first)
    expect((await viewsOf()).views).toMatchObject([{ name: 'Now', params: { status: 'in_progress' }, count: 1 }])
  })

  it('is one of at most twenty, together with those of policies', async () => {
    const policies = { list: 'purchased', name: 'Policies', params: {}, hidden: [] }
    expect((await app.ask('/api/policy/views', { method: 'PUT', headers: manager.headers, body: policies })).status).toBe(200)
    for (let index = 0; index < 19; index++) expect((await save({ name: `View ${index}` }, manager)).status).toBe(200)
    const refused = await save({ name: 'One more' }, manager)
    expect([refused.status, refused.body.error]).toEqual([409, 'policy.too_many_views'])
  })

  it.each([
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ list: 'purchased' }, 'list'],
    [{ params: { search: 'García' } }, 'params.search'],
    [{ params: { status: 'lost' } }, 'params.status'],
    [{ params: { topic: 'luggage' } }, 'params.topic'],
    [{ params: { by: 'you' } }, 'params.by'],
  ])('is refused at its field for %j', async (body, path) => {
    const reply = await save(body)
    expect([reply.status, reply.body.fields?.[0]?.path]).toEqual([422, path])
  })

  it('is audited when it is saved and deleted', async () => {
    const { viewUuid } = (await save({ name: 'Audited' })).body.data
    await ask('DELETE', { viewUuid })
    for (const action of ['policy_view.saved', 'policy_view.deleted'])
      expect((await auditRows(app, action)).at(-1)).toMatchObject({ user_id: seller.user.uuid, object: viewUuid, outcome: 'done' })
  })
})
