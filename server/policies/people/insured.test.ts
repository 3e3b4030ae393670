import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { auditRows, signIn } from '#server/session/testing.ts'
import { ana, leo, other, reach, registerAs, type Seller, sellAs, sellerOf, tripOf } from '../testing.ts'

let app: TestApp
let seller: Seller
let sold: { policyUuid: string; policyNumber: string; startDate: string; endDate: string }
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  sold = (await sellAs(seller)).body.data.policyData
  await registerAs(seller, {
    saveBudget: true,
    users: [
      { ...ana, ...reach, docNumber: '87654321X' },
      { ...leo, name: 'Eva' },
    ],
  })
})
afterAll(() => app.stop())

const ask = async (changes: object = {}, headers = seller.headers) => {
  const { productUUID, startDate, endDate } = tripOf(seller)
  const body = { productUUID, startDate, endDate, people: [{ docNumber: '12345678z' }], ...changes }
  return app.ask('/api/policy/insured', { headers, body })
}
const found = async (...asked: Parameters<typeof ask>): Promise<string[]> =>
  (await ask(...asked)).body.data.policies.flatMap(({ people }: { people: string[] }) => people)

it('a person is recognised by document, or by name and birth date, with the policy', async () => {
  const { policyUuid, policyNumber, startDate, endDate } = sold
  expect((await ask()).body.data.policies).toEqual([{ policyUuid, policyNumber, startDate, endDate, people: ['Ana García López'] }])
  expect(await found({ productUUID: String(tripOf(seller).productUUID).toUpperCase() })).toEqual(['Ana García López'])
  const { docNumber: _, ...named } = leo
  expect(await found({ people: [{ ...named, name: 'LÉO' }, { docNumber: '' }] })).toEqual(['Leo García Gil'])
  expect(await found({ people: [{ ...named, birthDate: '1988-01-02' }] })).toEqual([])
  expect(await found({ people: [{ name: 'Leo', birthDate: leo.birthDate }] })).toEqual([])
  expect(await found({ people: [] })).toEqual([])
})

it('a policy of several of the people is found once', async () => {
  const { policyUuid } = sold
  const { policies } = (await ask({ people: [{ docNumber: '12345678Z' }, leo] })).body.data
  expect(policies).toMatchObject([{ policyUuid, people: ['Ana García López', 'Leo García Gil'] }])
})

it.each([
  ['one day before the other trip', -8, -1, []],
  ['its first day', -8, 0, ['Ana García López']],
  ['its last day', 7, 9, ['Ana García López']],
  ['one day after it', 8, 9, []],
])('a trip that reaches %s is compared by its days', async (_, from, to, expected) => {
  const { startDate } = sold
  expect(await found({ startDate: addDays(startDate, from), endDate: addDays(startDate, to) })).toEqual(expected)
})

it('a policyholder who does not travel is not insured', async () => {
  const ida = { ...ana, ...reach, name: 'Ida', docNumber: '11111111H' }
  expect((await sellAs(seller, { users: [ida, other(0)], paxNumber: 1, roleFirstUser: 10 })).status).toBe(200)
  expect(await found({ people: [{ docNumber: '11111111H' }] })).toEqual([])
})

it('another product, a saved quote and a cancelled policy insure no one', async () => {
  expect(await found({ productUUID: seller.products.find(({ code }) => code !== 'ESS').uuid })).toEqual([])
  expect(await found({ people: [{ docNumber: '87654321X' }] })).toEqual([])
})

it('only visible policies of the own unit are found', async () => {
  expect(await found({}, (await signIn(app, 'agent@rotta.example')).headers)).toEqual([])
  expect((await ask({}, (await signIn(app, 'viewer@azahar.example')).headers)).status).toBe(403)
  const manager = await signIn(app, 'manager@azahar.example')
  expect(await found({}, manager.headers)).toEqual(['Ana García López'])
  const as = (roles: string[]) =>
    app.world.database.asService(tx => tx.updateTable('memberships').set({ roles }).where('user_id', '=', manager.user.uuid).execute())
  await as(['freelancer'])
  expect(await found({}, manager.headers)).toEqual([])
  await as(['manager'])
})

it('a find is audited by policy and position, never by name', async () => {
  await ask()
  const last = (await auditRows(app, 'people.seen')).at(-1)
  expect(last?.details).toEqual({ by: 'insured', seen: [`${sold.policyUuid}/0`] })
})

it('an unknown product returns 404', async () => {
  expect((await ask({ productUUID: sold.policyUuid })).status).toBe(404)
  expect((await ask({ productUUID: sold.policyUuid, people: [] })).status).toBe(404)
})
