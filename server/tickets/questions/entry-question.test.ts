import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { type November, playNovember } from '#server/accounting/testing.ts'
import { giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'

let november: November
let entry: { uuid: string; policyNumber: string; policyUuid: string }
beforeAll(async () => {
  november = await playNovember()
  await november.at('2026-12-01T05:00:00Z')
  await closeMonths(november.app.world)
  const { entries } = await november.asAccountant('entries', { from: '2026-11-01', to: '2026-11-30', perPage: 100 })
  entry = entries.find(({ kind }: { kind: string }) => kind === 'cancellation')
})
afterAll(() => november.app.stop())

const text = '¿Por qué sale en negativo?'
const ask = (body: object = {}, { headers }: Pick<SignedIn, 'headers'> = november.accountant, key?: string) =>
  november.app.ask('/api/accounting/query', {
    body: { entryUuid: entry.uuid, text, ...body },
    headers: { ...headers, 'accept-language': 'es-ES', ...(key ? { 'idempotency-key': key } : {}) },
  })

test('a question about a movement becomes a request with policy, number and amounts', async () => {
  const { body, status } = await ask()
  expect(status).toBe(200)
  const { ticketUuid } = body.data
  const reply = await november.app.ask('/api/tickets/detail', { body: { ticketUuid }, headers: november.accountant.headers })
  const { ticket, description, policyUuid, typeKey } = reply.body.data
  expect([ticket.policyNumber, policyUuid, typeKey]).toEqual([entry.policyNumber, entry.policyUuid, 'billing'])
  expect(ticket.subject).toMatch(/Anulación de la póliza .*13,16/)
  for (const said of [text, entry.policyNumber, '50,84', '13,16', 'azahar-2026-11', entry.uuid]) expect(description).toContain(said)
  const { kysely } = november.app.world.database
  expect(await kysely.selectFrom('tickets').select('entry_id').where('id', '=', ticketUuid).execute()).toEqual([{ entry_id: entry.uuid }])
  await november.app.world.outbox.drain()
  const mails = await kysely.selectFrom('mails').select('template').where('about', '=', ticketUuid).orderBy('template').execute()
  expect(mails.map(({ template }) => template)).toEqual(['ticket_forwarded', 'ticket_received'])
})

test('a question that is sent again with its key files one request', async () => {
  const [first, second] = [await ask({}, november.accountant, 'once-1'), await ask({}, november.accountant, 'once-1')]
  expect(second.body).toEqual(first.body)
})

test('a movement of another agency, or of a hidden sale, looks unknown', async () => {
  const { app, seller } = november
  await giveRoles(app, 'agent@rotta.example', ['manager'])
  expect((await ask({}, await signIn(app, 'agent@rotta.example'))).status).toBe(404)
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  expect((await ask({}, await signIn(app, 'manager@azahar.example'))).status).toBe(404)
  expect((await ask({}, seller)).status).toBe(403)
  expect((await ask({ entryUuid: '00000000-0000-4000-8000-000000000000' })).status).toBe(404)
})

test('a user who sees only own sales asks about these, and learns of no statement', async () => {
  const { app, seller } = november
  await giveRoles(app, seller.user.email, ['freelancer'])
  onTestFinished(() => giveRoles(app, seller.user.email, ['seller']))
  const own = await signIn(app, seller.user.email)
  const { body, status } = await ask({}, own)
  expect(status).toBe(200)
  const { ticketUuid } = body.data
  const detail = await app.ask('/api/tickets/detail', { body: { ticketUuid }, headers: own.headers })
  expect(detail.body.data.description).not.toContain('azahar-2026-11')
})

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['x'.repeat(2001), 'maxLength'],
  ['La tarjeta es 4242 4242 4242 4242', 'cardNumber'],
])('the question %j is refused', async (asked, rule) => {
  const { status, body } = await ask({ text: asked })
  expect([status, body.fields[0].path, body.fields[0].rule]).toEqual([422, 'text', rule])
})
