import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { auditRows, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { registerAs, sellAs, type Seller, sellerOf } from './testing.ts'

let app: TestApp
let seller: Seller
let manager: Seller
let foreign: SignedIn
const start = today(new Date(), 'Europe/Madrid')

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  manager = await sellerOf(app, 'manager@azahar.example')
  foreign = await signIn(app, 'agent@rotta.example')
  await sellAs(seller)
  await sellAs(seller, { startDate: addDays(start, 100), endDate: addDays(start, 105) })
  await sellAs(manager, { startDate: addDays(start, 2), endDate: addDays(start, 5) })
  await registerAs(seller, { saveBudget: true, startDate: addDays(start, 100), endDate: addDays(start, 105) })
  await registerAs(seller)
})
afterAll(() => app.stop())
beforeEach(() => app.world.database.kysely.deleteFrom('policy_views').execute())

type By = Pick<SignedIn, 'headers'>
type Listed = { builtIn: Record<string, number | null>; views: { viewUuid: string; name: string; params: object; count: number | null }[] }

const ask = (method: 'POST' | 'PUT' | 'DELETE', body: object, { headers }: By = seller) =>
  app.ask('/api/policy/views', { method, headers, body })
const viewsOf = async (by: By = seller, body: object = {}): Promise<Listed> =>
  (await ask('POST', { list: 'purchased', ...body }, by)).body.data
const namesOf = async (by: By = seller, body: object = {}) => (await viewsOf(by, body)).views.map(({ name }) => name)
const save = (body: object, by: By = seller) => ask('PUT', { list: 'purchased', name: 'View', params: {}, hidden: [], ...body }, by)

describe('the counts of the views', () => {
  it('are those of the lists', async () => {
    expect((await viewsOf()).builtIn).toEqual({ all: 3, leaving: 2, returning: 1, mine: 2, cancelled: 0 })
    expect((await viewsOf(manager)).builtIn).toMatchObject({ all: 3, mine: 1 })
    expect((await viewsOf(seller, { list: 'budgeted' })).builtIn).toEqual({ all: 2, leaving: 1, unpaid: 1, mine: 2 })
    expect((await viewsOf(foreign)).builtIn).toEqual({ all: 0, leaving: 0, returning: 0, mine: 0, cancelled: 0 })
  })

  it('move along with the days', async () => {
    await save({ name: 'Far', params: { from: '90d', to: '110d' } })
    expect((await viewsOf()).views).toMatchObject([{ name: 'Far', params: { from: '90d', to: '110d' }, count: 1 }])
  })

  it('need the permission of their list, and are limited to own sales', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await viewsOf(viewer)).builtIn['all']).toBe(3)
    for (const refused of [
      ask('POST', { list: 'budgeted' }, viewer),
      save({ list: 'budgeted' }, viewer),
      app.ask('/api/policy/agents', { headers: viewer.headers, body: { list: 'budgeted' } }),
    ])
      expect((await refused).status).toBe(403)
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    const freelancer = await signIn(app, 'manager@azahar.example')
    expect((await viewsOf(freelancer)).builtIn).toMatchObject({ all: 1, mine: 1 })
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })
})

describe('a saved view', () => {
  it('is the user’s alone, in its list and agency', async () => {
    const { viewUuid } = (await save({ name: ' Mine ', params: { agent: 'me', sort: 'total', order: 'desc' }, hidden: ['endDate'] })).body
      .data
    expect((await viewsOf()).views).toEqual([
      { viewUuid, name: 'Mine', params: { agent: 'me', sort: 'total', order: 'desc' }, hidden: ['endDate'], count: 2 },
    ])
    expect(await namesOf(seller, { list: 'budgeted' })).toEqual([])
    for (const other of [manager, foreign, await signIn(app, 'admin@portolan.example')]) {
      expect(await namesOf(other)).toEqual([])
      expect((await ask('DELETE', { viewUuid }, other)).status).toBe(404)
    }
    expect(await namesOf()).toEqual(['Mine'])
    expect((await ask('DELETE', { viewUuid })).body.data).toEqual({ deleted: true })
    expect((await ask('DELETE', { viewUuid })).status).toBe(404)
    expect(await namesOf()).toEqual([])
  })

  it('belongs to one of the user’s agencies', async () => {
    const [azahar, rotta] = [await signIn(app, 'multi@portolan.example'), await signIn(app, 'multi@portolan.example', 'Rotta Viaggi')]
    expect(azahar.headers['x-bunit-token']).not.toBe(rotta.headers['x-bunit-token'])
    const { viewUuid } = (await save({ name: 'Here' }, azahar)).body.data
    expect([await namesOf(azahar), await namesOf(rotta)]).toEqual([['Here'], []])
    expect((await ask('DELETE', { viewUuid }, rotta)).status).toBe(404)
  })

  it('replaces an earlier one of the same name', async () => {
    const first = (await save({ name: 'Soon', params: { from: '0d' } })).body.data
    const second = (await save({ name: 'Soon', params: { to: '6d' } })).body.data
    expect(second).toEqual(first)
    expect((await viewsOf()).views).toMatchObject([{ name: 'Soon', params: { to: '6d' }, count: 1 }])
  })

  it('replaces neither a colleague’s of that name nor one of another list', async () => {
    const one = (await save({ name: 'Same', params: { from: '1d' } })).body.data
    const others = [(await save({ name: 'Same', params: { from: '2d' } }, manager)).body.data]
    others.push((await save({ name: 'Same', list: 'budgeted', params: { from: '3d' } })).body.data)
    expect(new Set([one, ...others].map(({ viewUuid }) => viewUuid)).size).toBe(3)
    const paramsOf = async (by?: By, body?: object) => (await viewsOf(by, body)).views.map(({ params }) => params)
    expect(await paramsOf()).toEqual([{ from: '1d' }])
    expect(await paramsOf(manager)).toEqual([{ from: '2d' }])
    expect(await paramsOf(seller, { list: 'budgeted' })).toEqual([{ from: '3d' }])
  })

  it('keeps its slot when it is replaced, and a new one takes the first free slot', async () => {
    for (const name of ['First', 'Second', 'Third']) await save({ name })
    await save({ name: 'Second', params: { to: '6d' } })
    expect(await namesOf()).toEqual(['First', 'Second', 'Third'])
    const [first] = (await viewsOf()).views
    await ask('DELETE', { viewUuid: first?.viewUuid })
    await save({ name: 'Fourth' })
    expect(await namesOf()).toEqual(['Fourth', 'Second', 'Third'])
  })

  it('is one of at most twenty of each user, also when several are saved at once', async () => {
    const saved = await Promise.all(Array.from({ length: 24 }, (_, index) => save({ name: `View ${index}` })))
    expect(saved.every(({ status }) => status === 200 || status === 409)).toBe(true)
    for (let index = 0; (await namesOf()).length < 20; index++) await save({ name: `More ${index}` })
    const refused = await save({ name: 'One more' })
    expect([refused.status, refused.body.error]).toEqual([409, 'policy.too_many_views'])
    const [view] = (await viewsOf()).views
    // A name that exists is replaced all the same, and a deleted view makes room.
    expect((await save({ name: view?.name, params: { from: '1d' } })).status).toBe(200)
    await ask('DELETE', { viewUuid: view?.viewUuid })
    expect((await save({ name: 'One more' })).status).toBe(200)
    expect(await namesOf()).toHaveLength(20)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ list: 'cancelled' }, 'list'],
    [{ params: { search: 'García' } }, 'params.search'],
    [{ params: { from: 'tomorrow' } }, 'params.from'],
    [{ params: { from: '2026-02-30' } }, 'params.from'],
    [{ params: { agent: 'you' } }, 'params.agent'],
    [{ params: { sort: 'id; drop table' } }, 'params.sort'],
    [{ hidden: ['secret'] }, 'hidden[0]'],
  ])('is refused at its field for %j', async (body, path) => {
    const reply = await save(body)
    expect([reply.status, reply.body.fields?.[0]?.path]).toEqual([422, path])
  })

  it('is audited when it is saved and deleted', async () => {
    const { viewUuid } = (await save({ name: 'Audited' }, manager)).body.data
    await ask('DELETE', { viewUuid }, manager)
    for (const action of ['policy_view.saved', 'policy_view.deleted'])
      expect((await auditRows(app, action)).at(-1)).toMatchObject({ user_id: manager.user.uuid, object: viewUuid, outcome: 'done' })
  })
})

describe('the agents of a list', () => {
  const agentsOf = async (by: By, list = 'purchased') =>
    (await app.ask('/api/policy/agents', { headers: by.headers, body: { list } })).body.data.agents.map(
      ({ name }: { name: string }) => name,
    )

  it('are those who sold something that the caller may see', async () => {
    expect(await agentsOf(seller)).toEqual(['Andrés Molina', 'Lucía Ferrer'])
    expect(await agentsOf(seller, 'budgeted')).toEqual(['Lucía Ferrer'])
    expect(await agentsOf(foreign)).toEqual([])
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    expect(await agentsOf(await signIn(app, 'manager@azahar.example'))).toEqual(['Andrés Molina'])
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })
})
