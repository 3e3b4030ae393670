import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inLetters } from '#common/policies/testing.ts'
import { numberSought } from '#server/kit/sealed/document-numbers.ts'
import { resealRows } from '#server/kit/sealed/reseal.ts'
import { storeNumbersOpenly } from '#server/privacy/testing-numbers.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { giveRoles, demoScope, signIn } from '#server/session/testing.ts'
import { ana, deleteAs, leo, reach, registerAs, sellAs, type Seller, sellerOf } from '../testing.ts'
import { sealedPeople } from '../stored/queries.ts'
import { peopleKnown } from './queries.ts'
import { planAmongThousands } from './testing.ts'

let app: TestApp
let seller: Seller
let now = new Date()
beforeAll(async () => {
  app = await testApp({ LOOKS_PER_MINUTE: '60/600' }, { clock: { now: () => now } })
  seller = await sellerOf(app)
  await sellAs(seller)
})
afterAll(() => app.stop())
// Moves the clock, so that no test uses up another's quota.
beforeEach(() => {
  now = new Date(now.getTime() + 61_000)
})

const olga = { ...ana, ...reach, name: 'Olga', middleName: 'Pons', lastName: 'Vives', docNumber: '33333333P' }
const pau = { ...leo, name: 'Pau', middleName: 'Serra', lastName: 'Lomas', docNumber: '44444444A' }

const ask = (search: string, changes: object = {}, { headers }: Pick<Seller, 'headers'> = seller) =>
  app.ask('/api/people', { headers, body: { search, by: 'name', as: 'traveller', ...changes } })
const found = async (...asked: Parameters<typeof ask>): Promise<string[]> =>
  (await ask(...asked)).body.data.people.map((person: { docNumber: string }) => person.docNumber)

describe('known people', () => {
  it.each([
    ['GARCÍA', 'name', ['X1234567L', '12345678Z']],
    ['garcia lo', 'name', ['12345678Z']],
    ['ana gar', 'name', ['12345678Z']],
    ['León', 'name', []],
    ['leo', 'name', ['X1234567L']],
    ['12345678z', 'document', ['12345678Z']],
    ['x-1234567 l', 'document', ['X1234567L']],
    ['12345678', 'document', []],
    ['%%%', 'name', []],
    ['---', 'document', []],
  ])('are found by %j, the beginning of their name or the whole document (%s)', async (search, by, documents) => {
    expect((await found(search, { by })).toSorted()).toEqual(documents.toSorted())
  })

  it('come with address and contacts only for a policyholder’s form', async () => {
    const personal = {
      name: 'Ana',
      middleName: 'García',
      lastName: 'López',
      birthDate: '1990-05-05',
      docNumber: '12345678Z',
      documentKind: 'national',
    }
    expect((await ask('12345678Z', { by: 'document', as: 'policyholder' })).body.data.people).toEqual([
      { ...personal, companyName: '', residenceCountryId: null, ...reach },
    ])
    expect((await ask('12345678Z', { by: 'document' })).body.data.people).toMatchObject([
      { ...personal, email: '', phoneNumber: '', address: '' },
    ])
  })

  it('appear once each, as in the newest policy, and at most eight', async () => {
    await sellAs(seller, { users: [olga, leo] })
    now = new Date(now.getTime() + 1000)
    await sellAs(seller, { users: [{ ...olga, city: 'Alzira' }, leo] })
    expect((await ask('33333333P', { by: 'document', as: 'policyholder' })).body.data.people).toMatchObject([{ city: 'Alzira' }])
    const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'
    const travellers = Array.from({ length: 8 }, (_, index) => ({
      ...leo,
      name: `Zoe ${inLetters(index)}`,
      middleName: 'Prats',
      docNumber: `7000000${index}${letters[(70_000_000 + index) % 23]}`,
    }))
    await registerAs(seller, { saveBudget: true, paxNumber: 9, users: [{ ...olga, middleName: 'Prats', lastName: 'Gil' }, ...travellers] })
    expect(await found('prats gil')).toHaveLength(8)
  })

  it('appear once, as in the newest policy, also while older numbers are in clear', async () => {
    await sellAs(seller, { users: [{ ...pau, ...reach, city: 'Burriana' }, leo] })
    await storeNumbersOpenly(app)
    now = new Date(now.getTime() + 1000)
    await sellAs(seller, { users: [{ ...pau, ...reach, city: 'Carlet' }, leo] })
    for (const [search, by] of [
      ['44444444A', 'document'],
      ['serra lo', 'name'],
    ] as const)
      expect((await ask(search, { by, as: 'policyholder' })).body.data.people).toMatchObject([{ city: 'Carlet' }])
    await resealRows(app.world, sealedPeople)
  })

  it('include a company by its name or number, but not as a person', async () => {
    const company = { companyName: 'Naviera Azul S.L.', docNumber: 'B12345674', identificationTypeId: 4, ...reach }
    const { status } = await sellAs(seller, {
      roleFirstUser: 3,
      users: [company, pau, { ...pau, name: 'Pia', middleName: 'Soler', docNumber: '55555555K' }],
    })
    expect(status).toBe(200)
    for (const search of ['naviera', 'B12345674'])
      expect(await found(search, { as: 'company', by: search === 'naviera' ? 'name' : 'document' })).toEqual(['B12345674'])
    expect(await found('naviera', { as: 'policyholder' })).toEqual([])
  })

  it('come neither from deleted quotes nor from replaced versions', async () => {
    const users = [{ ...ana, ...reach, middleName: 'Antes' }, leo]
    const { policyUuid } = (await registerAs(seller, { saveBudget: true, users })).body.data
    expect(await found('antes')).toEqual(['12345678Z'])
    await registerAs(seller, { saveBudget: true, policyUuid, users: [{ ...ana, ...reach, middleName: 'Después' }, leo] })
    expect([await found('antes'), await found('después')]).toEqual([[], ['12345678Z']])
    await deleteAs(seller, policyUuid)
    expect(await found('después')).toEqual([])
  })
})

describe('the search for known people', () => {
  it('shows no people of another unit', async () => {
    const rival = await signIn(app, 'agent@rotta.example')
    expect(await found('garcia', {}, rival)).toEqual([])
  })

  it('requires the permissions to sell and to see policies', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await ask('garcia', {}, viewer)).status).toBe(403)
    const { headers } = await signIn(app, 'agent@azahar.example')
    await giveRoles(app, 'agent@azahar.example', ['viewer'])
    expect((await ask('garcia', {}, { headers })).status).toBe(403)
    await giveRoles(app, 'agent@azahar.example', ['seller'])
  })

  it('is limited to people of own sales where the user’s policies are', async () => {
    const manager = await sellerOf(app, 'manager@azahar.example')
    await sellAs(manager, { users: [{ ...ana, ...reach, docNumber: '87654321X', middleName: 'Propia' }, leo] })
    expect(await found('propia')).toEqual(['87654321X'])
    await giveRoles(app, 'agent@azahar.example', ['freelancer'])
    expect([await found('propia'), await found('87654321X', { by: 'document' })]).toEqual([[], []])
    expect(await found('garcia lo')).toContain('12345678Z')
    await giveRoles(app, 'agent@azahar.example', ['seller'])
  })

  it('is audited with the people found, without the text typed', async () => {
    await ask('ana gar', { as: 'policyholder' })
    const last = await app.world.database.kysely
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'people.seen')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(last).toMatchObject({ user_id: seller.user.uuid, outcome: 'done', details: { by: 'name', as: 'policyholder' } })
    expect(last).toHaveProperty('details.seen', [expect.stringMatching(/^[0-9a-f-]{36}\/0$/)])
    expect(JSON.stringify(last)).not.toMatch(/ana gar|García|12345678/)
  })

  it('is limited to sixty requests a minute, with or without results', async () => {
    for (let looks = 0; looks < 60; looks++) expect((await ask('nameless')).status).toBe(200)
    const limited = await ask('nameless')
    expect([limited.status, limited.body.error, limited.headers['retry-after']]).toEqual([429, 'request.too_many', '1'])
    const insured = {
      productUUID: seller.products[0].uuid,
      startDate: '2027-01-01',
      endDate: '2027-01-02',
      people: [{ docNumber: '12345678Z' }],
    }
    expect((await app.ask('/api/policy/insured', { headers: seller.headers, body: insured })).status).toBe(429)
    expect((await ask('nameless', {}, await signIn(app, 'manager@azahar.example'))).status).toBe(200)
  })

  it.each([{ search: 'ab' }, { search: 'a'.repeat(101) }, { search: 'a\u0000bc' }, { by: 'phone' }, { as: 'admin' }, { more: 1 }])(
    'is refused with %j',
    async changes => expect((await ask('garcia', changes)).status).toBe(422),
  )
})

it('a search by name or number uses indexes under row-level security', async () => {
  const scope = demoScope('azahar')
  const planOf = (by: Parameters<typeof peopleKnown>[1]['by']) =>
    planAmongThousands(app, scope, peopleKnown(scope, { by, company: false, statuses: ['purchased'], own: undefined }))
  const byName = await planOf({ prefix: 'garcia' })
  for (const index of ['policy_people_name', 'policy_people_given'])
    expect(byName).toMatch(new RegExp(`${index}[^\\n]*\\n\\s*Index Cond: \\(\\(business_unit_id = [^\\n]*>= [^\\n]*< `))
  const byNumber = await planOf({ number: numberSought(app.world.secrets, scope.businessUnitId, '12345678Z') })
  expect(byNumber).toMatch(/policy_people_hash[^\n]*\n\s*Index Cond: \(\(business_unit_id = [^\n]*document_hash = /)
  expect(byNumber).not.toMatch(/Seq Scan on policy_people/)
})
