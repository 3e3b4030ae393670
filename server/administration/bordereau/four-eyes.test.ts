import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closedNovember, type November } from '#server/accounting/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from '../testing.ts'
import { makeAdministrator } from '../users/administrator.ts'

type Administrator = Awaited<ReturnType<typeof admin>>

let november: November
let app: November['app']
const azahar = demoScope('azahar').businessUnitId
const [first, second, third, fourth] = [
  'admin@portolan.example',
  'admin2@portolan.example',
  'manager@azahar.example',
  'agent@azahar.example',
] as const
const day = 24 * 3600

beforeEach(async () => {
  november = await closedNovember()
  ;({ app } = november)
})
afterEach(() => app.stop())

/** Signs in anew, as sessions of another day have ended. */
const by = async (email: string): Promise<Administrator> => asker(app, await signIn(app, email))

async function prepared(administrator: Administrator): Promise<string> {
  const body = { requestUuid: randomUUID(), period: '2026-11', units: [azahar], kind: 'premium' }
  const reply = await administrator.post('bordereau', body)
  expect(reply.status, reply.text).toBe(200)
  await app.world.outbox.drain()
  return reply.body.data.uuid
}
const release = async (administrator: Administrator, uuid: string) => (await administrator.post('bordereau/release', { uuid })).body
async function mayRelease(administrator: Administrator): Promise<boolean> {
  const { periods } = (await administrator.post('bordereau/list')).body.data
  return periods[0].bordereaux[0].mayRelease
}

/** Makes a user an administrator by the screen's call. */
async function make(maker: Administrator, email: string) {
  const [{ uuid }] = (await maker.post('users/list', { searchData: email })).body.data.users
  const { version, name, active, businessUnits } = (await maker.get(`users/${uuid}`)).body.data
  const units = businessUnits.map(({ uuid, roles, active }: Record<string, unknown>) => ({ uuid, roles, active }))
  const reply = await maker.put(`users/${uuid}`, { version, name, active, administrator: true, businessUnits: units })
  expect(reply.status, reply.text).toBe(200)
  return uuid
}

test('a new administrator releases nothing for a day, and their maker’s not for thirty', async () => {
  const own = await prepared(await by(first))
  await make(await by(first), third)
  expect(await release(await by(third), own)).toMatchObject({ error: 'bordereau.new_administrator' })
  expect(await mayRelease(await by(third))).toBe(false)
  november.later(day)
  expect(await release(await by(third), own)).toMatchObject({ error: 'bordereau.new_administrator' })
  november.later(29 * day)
  expect(await mayRelease(await by(third))).toBe(true)
  expect((await release(await by(third), own)).data).toMatchObject({ state: 'released' })
})

test('a day later, a new administrator releases what a third one prepared', async () => {
  const others = await prepared(await by(second))
  await make(await by(first), third)
  expect(await release(await by(third), others)).toMatchObject({ error: 'bordereau.new_administrator' })
  november.later(day)
  expect((await release(await by(third), others)).data).toMatchObject({ state: 'released' })
})

test('a new administrator prepares nothing for their maker to release', async () => {
  await make(await by(first), third)
  const uuid = await prepared(await by(third))
  november.later(day)
  const refused = await release(await by(first), uuid)
  expect(refused).toMatchObject({ error: 'bordereau.new_administrator' })
  expect(refused.errorMessage).toContain('30')
  expect((await release(await by(second), uuid)).data).toMatchObject({ state: 'released' })
})

test.each([
  ['the maker of their maker', third, first],
  ['made by the same maker', first, third],
])('an administrator cannot release the bordereau of someone tied to them: %s', async (_, maker, preparer) => {
  await make(await by(first), third)
  await make(await by(maker), fourth)
  november.later(day)
  const uuid = await prepared(await by(preparer))
  expect(await release(await by(fourth), uuid)).toMatchObject({ error: 'bordereau.new_administrator' })
  november.later(29 * day)
  expect((await release(await by(fourth), uuid)).data).toMatchObject({ state: 'released' })
})

test('an administrator whom the operator’s command made releases at once', async () => {
  const uuid = await prepared(await by(first))
  await makeAdministrator(app.world, third, 'Andrés Molina')
  expect((await release(await by(third), uuid)).data).toMatchObject({ state: 'released' })
})

test('the other administrators get one email that says who made the new one', async () => {
  const uuid = await make(await by(first), third)
  await make(await by(first), third)
  expect((await auditOf(app, 'administrator_made')).map(({ object }) => object)).toEqual([uuid])
  await app.world.outbox.drain()
  const mails = (await app.ask('/dev/mail.json')).body.filter(({ text }: { text: string }) => text.includes('/administration?tab=users'))
  expect(mails.map(({ to, subject }: Record<string, string>) => [to, subject])).toEqual([
    [second, 'Viajes Azahar: hay un nuevo administrador'],
  ])
  expect(mails[0].text).toContain(`Portolan Admin ha hecho administrador a ${third} el `)
})
