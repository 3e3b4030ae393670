import { afterEach, beforeEach, expect, test } from 'vitest'
import { ana, reach, sellAs } from '#server/policies/testing.ts'
import type { Permission } from '#common/kit/permissions.ts'
import { demoScope, giveRoles, signIn } from '#server/session/testing.ts'
import { saveTerms } from '../limit/queries.ts'
import { takersFor } from '../pairs/explained.ts'
import { type November, playNovember } from '../testing.ts'
import { closeMonths } from './close.ts'

let november: November
beforeEach(async () => {
  november = await playNovember()
})
afterEach(() => november.app.stop())

const monthOf = async (month: string, more: object = {}) =>
  (await november.asAccountant('earnings', { from: month, to: month, ...more })).month
async function closeAt(instant: string): Promise<void> {
  await november.at(instant)
  await closeMonths(november.app.world)
}

const sold = {
  name: 'sold',
  amount: 653.57,
  parts: [
    { name: 'sales', amount: 729.96 },
    { name: 'changes', amount: -25.55 },
    { name: 'ends', amount: -50.84 },
  ],
}
const card = {
  name: 'card',
  amount: -518.85,
  parts: [
    { name: 'sales', amount: 561.48 },
    { name: 'returned', amount: -42.63 },
  ],
}
const equations = [{ terms: [sold, card, { name: 'commission', amount: -171.32, parts: [] }], due: -36.6 }]
const calculation = { equations, dutyPercent: 0, insurerName: 'Meridia', iban: 'ES7899990001410123456789' }

test('November is the same equation so far, closed, and in its statement', async () => {
  expect(await monthOf('2026-11')).toEqual({ calculation, closed: null })
  await closeAt('2026-12-01T05:00:00Z')
  expect(await monthOf('2026-11')).toMatchObject({
    calculation,
    closed: { statement: { number: 'azahar-2026-11', dueOn: '2026-12-15', state: 'open' }, open: { account: -36.6, commission: 0 } },
  })
  expect((await november.asAccountant('statements/detail', { number: 'azahar-2026-11' })).calculation).toEqual(calculation)
})

test('without netting, the account and the commission have an equation each', async () => {
  await november.app.world.database.inScope(demoScope('azahar'), tx => saveTerms(tx, { netted: false }))
  const both = [
    { terms: [sold, card], due: 134.72 },
    { terms: [{ name: 'commission', amount: 171.32, parts: [] }], due: -171.32 },
  ]
  expect((await monthOf('2026-11')).calculation.equations).toEqual(both)
  await closeAt('2026-12-01T05:00:00Z')
  expect((await monthOf('2026-11')).calculation.equations).toEqual(both)
})

test('the next month carries over what is due, has late sales, and closes as it was so far', async () => {
  await closeAt('2026-12-01T05:00:00Z')
  const sell = (docNumber: string) =>
    sellAs(november.seller, { users: [{ ...ana, ...reach, docNumber }], paxNumber: 1, startDate: '2027-02-10', endDate: '2027-02-17' })
  // A late sale of November is on the statement of December.
  await november.at('2026-11-30T12:00:00Z')
  await sell('11111111H')
  await november.at('2026-12-20T12:00:00Z')
  await sell('22222222J')
  const { calculation: soFar, closed } = await monthOf('2026-12')
  expect(closed).toBeNull()
  const [{ terms, due }] = soFar.equations
  expect(terms.map(({ name }: { name: string }) => name)).toEqual(['before', 'sold', 'card', 'commission'])
  expect(terms[0].amount).toBe(-36.6)
  expect(terms[1]).toEqual({ name: 'sold', amount: 33.76, parts: [] })
  expect(due).toBeCloseTo(-36.6 + 33.76 - 8.74, 10)
  await closeAt('2027-01-02T12:00:00Z')
  expect((await monthOf('2026-12')).calculation).toEqual(soFar)
})

test('an agency in Portugal sees the duty so far, as it is withheld at the closing', async () => {
  await november.app.world.database.pool.query(
    `update business_units set settings = jsonb_set(settings, '{country}', '620') where key = 'azahar'`,
  )
  const soFar = await monthOf('2026-11')
  expect(soFar.calculation).toMatchObject({ dutyPercent: 2, equations: [{ due: -33.17 }] })
  expect(soFar.calculation.equations[0].terms.at(-1)).toEqual({ name: 'stamp_duty', amount: 3.43, parts: [] })
  await closeAt('2026-12-01T06:00:00Z')
  expect((await monthOf('2026-11')).calculation).toEqual(soFar.calculation)
})

test('several months, months whose balance is unknown, and users of own sales have sums alone', async () => {
  expect((await november.asAccountant('earnings', { from: '2026-10', to: '2026-11' })).month).toBeNull()
  expect(await monthOf('2026-10')).toBeNull()
  expect(await monthOf('2026-12')).toBeNull()
  await closeAt('2026-12-01T05:00:00Z')
  // The new month follows the closed one. In the night after it, it is not known yet what January carries over.
  expect(await monthOf('2026-12')).not.toBeNull()
  await november.at('2027-01-01T03:00:00Z')
  expect(await monthOf('2027-01')).toBeNull()
  expect((await monthOf('2026-12')).closed).toBeNull()
  await giveRoles(november.app, 'manager@azahar.example', ['freelancer'])
  const { headers } = await signIn(november.app, 'manager@azahar.example')
  const own = await november.app.ask('/api/accounting/earnings', { body: { from: '2026-12', to: '2026-12' }, headers })
  expect(own.body.data.month).toBeNull()
})

test('lines name the policyholder for users who may view policies, and the audit says so', async () => {
  const { app, asAccountant } = november
  const { kysely } = app.world.database
  await closeAt('2026-12-01T05:00:00Z')
  const ask = { from: '2026-11-01', to: '2026-11-30', perPage: 100 }
  const takersIn = async () => {
    const { entries } = await asAccountant('entries', ask)
    const { lines } = await asAccountant('statements/detail', { number: 'azahar-2026-11', perPage: 100 })
    return [entries.toReversed(), lines].map(rows => rows.map(({ policyTaker }: { policyTaker: string | null }) => policyTaker))
  }
  const audited = async () =>
    (await kysely.selectFrom('audit').select('details').where('action', '=', 'accounting.listed').orderBy('id').execute())
      .slice(-2)
      .map(({ details }) => details)
  const [entries, lines] = await takersIn()
  expect(entries).toHaveLength(6)
  expect(entries?.every(Boolean)).toBe(true)
  expect(lines).toEqual(entries)
  expect(await audited()).toMatchObject([{ seen: 3 }, { seen: 3 }])
  // Blocking a policy blanks the name.
  await kysely.updateTable('policies').set({ taker: '' }).where('product_name', '=', 'Estudios y Larga Estancia').execute()
  expect((await takersIn()).map(takers => takers.map((taker: string | null) => taker !== null))).toEqual(
    [0, 1].map(() => [true, true, true, true, false, true]),
  )
  const policies = await kysely.selectFrom('policies').select('id as policy_id').where('taker', '<>', '').execute()
  const seen = (...permissions: Permission[]) =>
    app.world.database.inScope(demoScope('azahar'), async tx => (await takersFor(tx, permissions, policies)).takers.size)
  expect([await seen('b2b-accounting-view'), await seen('b2b-accounting-view', 'b2b-policies-sold-view')]).toEqual([0, 2])
})
