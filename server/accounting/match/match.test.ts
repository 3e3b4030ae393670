import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveRoles, signIn } from '#server/session/testing.ts'
import { type November, playNovember } from '../testing.ts'
import { closeMonths } from '../statements/close.ts'

let november: November
let numbers: string[]
beforeAll(async () => {
  november = await playNovember()
  const { entries } = await november.asAccountant('entries', { from: '2026-11-01', to: '2026-11-30', perPage: 50 })
  // Sale A, sold and cancelled; sale B by card, and its change; sale C.
  const oldest = entries.toReversed().map(({ policyNumber }: { policyNumber: string }) => policyNumber)
  numbers = [...new Set<string>(oldest)]
  await november.at('2026-12-01T06:00:00Z')
  await closeMonths(november.app.world)
})
afterAll(() => november.app.stop())

const days = { from: '2026-11-01', to: '2026-11-30' }
const outcomes = ({ rows }: { rows: { policyNumber: string; state: string; by: unknown }[] }) =>
  rows.map(({ policyNumber, state, by }) => [policyNumber, state, by])

test('a list of the agency is compared with a period, and with its statement', async () => {
  const [, b, c] = numbers
  const csv = `Póliza;Importe;Comisión\n${b};518,85;143,92\n${c};134,70;27,40\nOTRA-1;12;3\n`
  for (const asked of [days, { statement: 'azahar-2026-11' }]) {
    const reply = await november.asAccountant('match', { csv, ...asked })
    expect(reply.counts).toEqual({ matched: 1, differs: 1, missingThere: 0, missingHere: 1, unclear: 0 })
    expect(outcomes(reply)).toEqual([
      [c, 'differs', { gross: -0.02, commission: 0 }],
      ['OTRA-1', 'missing_here', { gross: 12, commission: 3 }],
      [b, 'matched', { gross: 0, commission: 0 }],
    ])
  }
})

test('policies come with their ids, and ambiguous amounts with their lines', async () => {
  const [, b, c] = numbers
  const reply = await november.asAccountant('match', { csv: `policy;amount\n${b};518,850\nOTRA-1;12\n`, ...days })
  const policies = await november.app.world.database.kysely.selectFrom('policies').select(['id', 'number']).execute()
  const idOf = (number: string | undefined) => policies.find(each => each.number === number)?.id
  expect([reply.counts.unclear, reply.unclearLines]).toEqual([1, [2]])
  expect(reply.rows.map(({ policyUuid }: { policyUuid: string | null }) => policyUuid)).toEqual([idOf(b), null, idOf(c)])
})

test('an amount in another currency names it, and has no difference', async () => {
  const [, b] = numbers
  const reply = await november.asAccountant('match', { csv: `policy;amount;commission\n${b};518.85 USD;143.92 USD\n`, ...days })
  expect(reply.rows[0]).toMatchObject({ policyNumber: b, state: 'differs', currency: 'USD', by: { gross: null, commission: null } })
})

test('policies missing in the list are reported, and missing columns are not compared', async () => {
  const [, b, c] = numbers
  const reply = await november.asAccountant('match', { csv: `policy,commission\n${b},143.92`, ...days })
  expect(outcomes(reply)).toEqual([
    [c, 'missing_there', { gross: -134.72, commission: -27.4 }],
    [b, 'matched', { gross: null, commission: 0 }],
  ])
})

const send = (body: object, headers = november.accountant.headers) => november.app.ask('/api/accounting/match', { body, headers })

test.each([
  ['a;b\n1;2', days, 'Añada una cabecera con el número de póliza'],
  ['', days, 'La lista no tiene pólizas.'],
  ['policy;amount\nA;x\nB;1.2.3', days, 'Línea 2: un importe'],
  ['policy;amount\nA;1,5\nB;1,235', days, 'Línea 3: un importe tiene un tercer decimal'],
])('the list %j is refused with its problem', async (csv, asked, message) => {
  const { status, body } = await send({ csv, ...asked })
  expect([status, body.fields[0].path]).toEqual([422, 'csv'])
  expect(body.fields[0].message).toContain(message)
})

test('a comparison needs days or a statement of the own agency, and the permission', async () => {
  const csv = 'policy;amount\nA;1'
  expect((await send({ csv })).body.fields[0].path).toBe('from')
  expect((await send({ csv, statement: 'rotta-2026-11' })).status).toBe(404)
  const seller = await signIn(november.app, 'agent@azahar.example')
  expect((await send({ csv, ...days }, seller.headers)).status).toBe(403)
})

test('a user who sees only own sales compares only these, and no statement', async () => {
  await giveRoles(november.app, 'manager@azahar.example', ['freelancer'])
  const { headers } = await signIn(november.app, 'manager@azahar.example')
  const csv = `policy;amount\n${numbers[1]};518.85`
  expect(outcomes((await send({ csv, ...days }, headers)).body.data)).toEqual([
    [numbers[1], 'missing_here', { gross: 518.85, commission: null }],
  ])
  expect((await send({ csv, statement: 'azahar-2026-11' }, headers)).status).toBe(403)
})
