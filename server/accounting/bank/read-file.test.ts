import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountKey } from '#common/accounting/bank/entry.ts'
import { camt, camtDetails, camtEntry, iban, norma43 } from '#common/accounting/bank/testing.ts'
import { readBankText } from './read-file.ts'

const faults = (text: string) => {
  const { entries, problems } = readBankText(text)
  return { problems, entries: entries.length }
}

test.each(['02', '04', '08', '13'])('an entry of camt.053 version %s is read with its payment', version => {
  const isNew = Number(version) >= 8
  const status = isNew ? '<Sts><Cd>BOOK</Cd></Sts>' : '<Sts>BOOK</Sts>'
  const day = isNew ? '<DtTm>2026-12-14T10:00:00+01:00</DtTm>' : '<Dt>2026-12-14</Dt>'
  const details = camtDetails({ party: isNew, text: 'azahar-2026-11 &amp; more' })
  expect(readBankText(camt([camtEntry({ status, day, details })], { version, before: '1000.00', after: '1120.50' }))).toEqual({
    problems: [],
    entries: [
      {
        account: iban,
        bookedOn: '2026-12-14',
        way: 'received',
        isReversal: false,
        cents: 12_050,
        currency: 'EUR',
        name: 'Viajes Azahar',
        reference: 'azahar-2026-11 & more',
        mark: 'S-1',
        page: 1,
      },
    ],
  })
})

test('a debit and a reversal keep their direction, and entries not booked are left out', () => {
  const entries = [
    camtEntry({ way: 'DBIT', amount: '7' }),
    camtEntry({ way: 'DBIT', amount: '120.5', reversal: 'true' }),
    camtEntry({ status: '<Sts>PDNG</Sts>' }),
    camtEntry({ amount: '0.00' }),
  ]
  expect(readBankText(camt(entries)).entries.map(({ way, isReversal, cents }) => [way, isReversal, cents])).toEqual([
    ['paid', false, 700],
    ['paid', true, 12_050],
  ])
})

test.each(['__proto__', 'constructor', 'toString', ''])('an unknown direction is a problem of its entry: %j', way => {
  expect(faults(camt([camtEntry({ way })]))).toEqual({ problems: [{ fault: 'broken', entry: 1 }], entries: 0 })
})

test('a batch is read by its payments if they add up to it, else as one entry', () => {
  const batch = (second: string) =>
    camtEntry({
      amount: '30.00',
      details: camtDetails({ amount: '10.00', end: 'E1', name: 'One' }) + camtDetails({ amount: second, end: 'E2', name: 'Two' }),
    })
  const read = (second: string) => readBankText(camt([batch(second)])).entries.map(({ cents, name, mark }) => [cents, name, mark])
  expect(read('20.00')).toEqual([
    [1000, 'One', 'S-1 E1'],
    [2000, 'Two', 'S-1 E2'],
  ])
  expect(read('19.99')).toEqual([[3000, 'One · Two', 'S-1']])
})

test('an entry has the page of its statement unless the bank has given it a reference', () => {
  const pageOf = (servicer: string, page?: [number, boolean]) =>
    readBankText(camt([camtEntry({ servicer, details: camtDetails({}) })], page ? { page } : {})).entries.map(entry => entry.page)
  expect([pageOf('NONREF'), pageOf('NONREF', [1, false]), pageOf('NONREF', [2, true])]).toEqual([[1], [1], [2]])
  expect(pageOf('S-1', [2, true])).toEqual([1])
  const parts = [camtDetails({ amount: '60.25' }), camtDetails({ amount: '60.25' })].join('')
  expect(readBankText(camt([camtEntry({ details: parts })], { page: [3, false] })).entries.map(entry => entry.page)).toEqual([3, 3])
})

test('a prefixed namespace is read; another namespace or message is not a statement', () => {
  const prefixed = camt([camtEntry()])
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:')
    .replace('xmlns=', 'xmlns:n=')
  expect(readBankText(prefixed).entries).toHaveLength(1)
  for (const other of ['camt.052.001.02', 'camt.053.001.01', 'camt.053.001.02x'])
    expect(faults(camt([camtEntry()]).replace('camt.053.001.02', other)).problems).toEqual([{ fault: 'kind' }])
  expect(faults('<html></html>').problems).toEqual([{ fault: 'kind' }])
  expect(faults('Date;Amount').problems).toEqual([{ fault: 'kind' }])
  expect(faults(' \n').problems).toEqual([{ fault: 'empty' }])
})

test.each([
  ['<!DOCTYPE Document>', 'doctype'],
  ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', 'doctype'],
  ['<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>', 'doctype'],
  ['text', 'broken'],
  ['<other/>', 'broken'],
])('XML that begins with %j is refused', (head, fault) => {
  const { problems } = readBankText(camt([camtEntry()], { head }))
  expect(problems).toEqual([{ fault: head === '<other/>' ? 'broken' : fault }])
})

test('undeclared entities, a missing end and deep nesting are refused', () => {
  const text = camt([camtEntry({ servicer: '&x;' })])
  expect(faults(text).problems).toEqual([{ fault: 'broken' }])
  expect(faults(camt([camtEntry()]).slice(0, -20)).problems).toEqual([{ fault: 'broken' }])
  expect(faults(camt(['<a>'.repeat(100) + '</a>'.repeat(100)])).problems).toEqual([{ fault: 'many' }])
  expect(faults(camt(Array.from({ length: 5001 }, () => camtEntry()))).problems).toEqual([{ fault: 'many' }])
})

test('decimals beyond the second are accepted if they are zeros, as in ISO 20022', () => {
  const file = camt([camtEntry({ amount: '5000.000' }), camtEntry({ amount: '1.50000' })])
  expect(readBankText(file).entries.map(({ cents }) => cents)).toEqual([500_000, 150])
})

test('each wrong entry has a problem of its own, and the file returns no entries', () => {
  const wrong = [
    camtEntry(),
    camtEntry({ amount: '1.005' }),
    camtEntry({ amount: '-5.00' }),
    camtEntry({ currency: 'USD' }),
    camtEntry({ day: '<Dt>2026-02-30</Dt>' }),
    camtEntry({ status: '' }),
  ]
  expect(faults(camt(wrong))).toEqual({
    entries: 0,
    problems: [
      { fault: 'amount', entry: 2 },
      { fault: 'amount', entry: 3 },
      { fault: 'currency', entry: 4 },
      { fault: 'date', entry: 5 },
      { fault: 'broken', entry: 6 },
    ],
  })
})

test('a statement whose balances or totals differ from its entries is refused', () => {
  const two = [camtEntry(), camtEntry({ way: 'DBIT', amount: '20.50' })]
  expect(faults(camt(two, { before: '0.00', after: '100.00' })).entries).toBe(2)
  expect(faults(camt(two, { before: '0.00', after: '100.01' })).problems).toEqual([{ fault: 'sum' }])
  const summary = (credits: string) => `<TxsSummry><TtlCdtNtries><Sum>${credits}</Sum></TtlCdtNtries></TxsSummry>`
  expect(faults(camt(two, { summary: summary('120.50') })).entries).toBe(2)
  expect(faults(camt(two, { summary: summary('120.51') })).problems).toEqual([{ fault: 'sum' }])
})

test('a Norma 43 file is read with the texts of its movements', () => {
  const file = norma43([
    { cents: 12_050, document: '0000000017', first: 'AZAHAR202611', texts: ['TRANSFERENCIA DE VIAJES AZAHAR'] },
    { cents: -300, concept: '17' },
    { cents: -12_050, concept: '98', second: 'DEVOLUCION' },
  ])
  const account = '210004180200051332'
  expect(readBankText(file)).toEqual({
    problems: [],
    entries: [
      {
        account,
        bookedOn: '2026-12-14',
        way: 'received',
        isReversal: false,
        cents: 12_050,
        currency: 'EUR',
        name: '',
        reference: '0000000017 · AZAHAR202611 · TRANSFERENCIA DE VIAJES AZAHAR',
        mark: '0000000017 AZAHAR202611 TRANSFERENCIA DE VIAJES AZAHAR',
        page: 1,
      },
      expect.objectContaining({ way: 'paid', isReversal: false, cents: 300, reference: '' }),
      expect.objectContaining({ way: 'paid', isReversal: true, cents: 12_050, reference: 'DEVOLUCION' }),
    ],
  })
  // Both formats name the same account.
  expect(accountKey(iban)).toBe(account)
})

const sample = norma43([{ cents: 12_050 }, { cents: -300 }, { cents: 0 }])
test.each<[what: string, change: (text: string) => string, fault: string, line: number]>([
  ['debits that are not the sum', text => text.replace(/^(33.{23})\d{14}/m, '$100000000000301'), 'sum', 5],
  ['credits that are not the sum', text => text.replace(/^(33.{42})\d{14}/m, '$100000000012051'), 'sum', 5],
  ['another number of debits', text => text.replace(/^(33.{18})\d{5}/m, '$100009'), 'sum', 5],
  ['another number of credits', text => text.replace(/^(33.{37})\d{5}/m, '$100009'), 'sum', 5],
  ['another last balance', text => text.replace(/^(33.{57})\d{14}/m, '$100000000000001'), 'sum', 5],
  ['another number of lines', text => text.replace(/^(88.{18})\d{6}/m, '$1000009'), 'sum', 6],
  ['an amount that is no number', text => text.replace(/^(22.{26})\d{14}/m, '$1000000000012.5'), 'amount', 2],
  ['an unknown currency', text => text.replace(/978/, '999'), 'currency', 1],
  ['another currency at the end', text => text.replace(/978(?! *3ASEG)(?=\s+88)/, '840'), 'currency', 5],
  ['a day that is none', text => text.replace(/^(22.{8})\d{6}/m, '$1261314'), 'date', 2],
  ['no end', text => text.replace(/^88.*\r\n/m, ''), 'broken', 5],
  ['something after the end', text => `${text}22`, 'broken', 7],
  ['another account at the end', text => text.replace(/^33\d/m, '339'), 'broken', 5],
  ['a record of another kind', text => text.replace(/^22/m, '44'), 'broken', 2],
  ['a movement after the sums', text => text.replace(/^88/m, `22${' '.repeat(78)}\r\n88`), 'broken', 6],
])('a Norma 43 file with %s is refused at its line', (_, change, fault, line) => {
  expect(readBankText(sample).problems).toEqual([])
  const { problems, entries } = readBankText(change(sample))
  expect(problems[0]).toMatchObject({ fault })
  expect([problems.at(-1)?.line, entries]).toEqual([line, []])
})

test('a file with random text inserted is read or refused, and no amount is invented', () => {
  const sources = [
    camt([camtEntry({ details: camtDetails({}) }), camtEntry({ way: 'DBIT', amount: '3' })], { before: '0', after: '117.50' }),
    sample,
  ]
  fc.assert(
    fc.property(fc.constantFrom(...sources), fc.nat(), fc.nat({ max: 12 }), fc.string({ maxLength: 8 }), (source, at, length, text) => {
      const from = at % source.length
      const { entries, problems } = readBankText(source.slice(0, from) + text + source.slice(from + length))
      if (problems.length === 0) expect(entries.every(({ cents }) => Number.isSafeInteger(cents) && cents > 0)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('a Norma 43 file returns its movements only if its sums are right', () => {
  const movements = fc.array(fc.record({ cents: fc.integer({ min: -9_999_999, max: 9_999_999 }) }), { maxLength: 20 })
  fc.assert(
    fc.property(movements, fc.integer({ min: -500_000, max: 500_000 }), (list, before) => {
      const text = norma43(list, { before })
      const signed = readBankText(text).entries.map(({ way, cents }) => (way === 'paid' ? -cents : cents))
      expect(signed).toEqual(list.map(({ cents }) => cents).filter(cents => cents !== 0))
      expect(
        readBankText(text.replace(/^(33.{57})(\d{13})(\d)/m, (_, head, most, last) => `${head}${most}${(Number(last) + 1) % 10}`)).entries,
      ).toEqual([])
    }),
  )
})
