import { expect, test } from 'vitest'
import type { BankEntry } from './entry.ts'
import { openProposals, type Payer } from './propose.ts'

const payer = (id: string, names: string[], open: number[] = [], more: Partial<Payer> = {}): Payer => ({
  id,
  names,
  open,
  currency: 'EUR',
  statements: [`${id}-2026-11`, `${id}-2026-10`],
  ...more,
})
const payers = [
  payer('azahar', ['azahar', 'Viajes Azahar'], [12_050, 13_000]),
  payer('azahar-norte', ['azahar-norte', 'Azahar Norte'], [9900]),
  payer('rotta', ['rotta', 'Rotta Viaggi'], [4400, -700]),
  payer('albion', ['albion'], [12_050], { currency: 'GBP' }),
]
const propose = openProposals(payers)
const entry = (reference: string, facts: Partial<BankEntry> = {}): BankEntry => ({
  account: '1',
  bookedOn: '2026-12-14',
  way: 'received',
  isReversal: false,
  cents: 1,
  currency: 'EUR',
  name: '',
  reference,
  mark: '',
  page: 1,
  ...facts,
})

test.each(['azahar-2026-11', 'AZAHAR 2026 11', 'TRANSF.AZAHAR202611 GRACIAS', 'Factura azahar/2026-11 de noviembre'])(
  'the number of a statement is recognised in %j',
  reference => {
    expect(propose(entry(reference))).toEqual({ payer: 'azahar', statement: 'azahar-2026-11', by: 'statement' })
  },
)

test('the longest number and the longest name win', () => {
  expect(propose(entry('AZAHAR NORTE 2026-10'))).toEqual({ payer: 'azahar-norte', statement: 'azahar-norte-2026-10', by: 'statement' })
  expect(propose(entry('Azahar  NORTE, s.l.'))).toEqual({ payer: 'azahar-norte', statement: null, by: 'name' })
})

test('a name proposes its agency, and its statement if the amount equals what is open', () => {
  expect(propose(entry('', { name: 'VIÁJES AZAHAR SL' }))).toEqual({ payer: 'azahar', statement: null, by: 'name' })
  expect(propose(entry('', { name: 'Viajes Azahar', cents: 13_000 }))).toEqual({ payer: 'azahar', statement: 'azahar-2026-11', by: 'name' })
})

test('an amount that one agency alone owes, or is owed, proposes it', () => {
  expect(propose(entry('', { cents: 4400 }))).toEqual({ payer: 'rotta', statement: 'rotta-2026-11', by: 'amount' })
  expect(propose(entry('', { cents: 700, way: 'paid' }))?.payer).toBe('rotta')
  expect(propose(entry('', { cents: 700 }))).toBeNull()
  expect(propose(entry('', { cents: 4400, isReversal: true }))).toBeNull()
  expect(openProposals([...payers, payer('other', [], [4400])])(entry('', { cents: 4400 }))).toBeNull()
})

test('money paid out that is not owed to the agency is doubtful, even with a statement', () => {
  expect(propose(entry('Comision azahar-2026-10', { way: 'paid', cents: 12_050 }))).toMatchObject({ by: 'statement', doubtful: true })
  expect(propose(entry('Rotta Viaggi', { way: 'paid', cents: 600 }))).toMatchObject({ by: 'name', doubtful: true })
  expect(propose(entry('Rotta Viaggi', { way: 'paid', cents: 700 }))).toEqual({ payer: 'rotta', statement: 'rotta-2026-11', by: 'name' })
  // A payment that the bank reverses leaves the account, too.
  expect(propose(entry('azahar-2026-10', { way: 'paid', isReversal: true }))).not.toHaveProperty('doubtful')
})

test('a text that names several agencies proposes none, unless the amount decides', () => {
  expect(propose(entry('azahar rotta'))).toBeNull()
  expect(propose(entry('azahar rotta', { cents: 4400 }))).toEqual({ payer: 'rotta', statement: 'rotta-2026-11', by: 'amount' })
  expect(propose(entry('azahar-2026-11 rotta-2026-11'))).toBeNull()
})

test('agencies with another currency are never proposed', () => {
  expect(propose(entry('albion-2026-11', { cents: 12_050 }))?.payer).toBe('azahar')
  expect(propose(entry('albion'))).toBeNull()
  expect(propose(entry('albion', { currency: 'GBP' }))?.payer).toBe('albion')
})

test('an unknown statement, a part of a word and an empty text propose nothing', () => {
  expect(propose(entry('azaharito rottas'))).toBeNull()
  expect(propose(entry('azahar-2019-01'))).toEqual({ payer: 'azahar', statement: null, by: 'name' })
  expect(propose(entry(''))).toBeNull()
})
