import { randomUUID } from 'node:crypto'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf, dialectOf } from '#common/kit/csv.ts'
import { locales } from '#common/kit/locales.ts'
import { bookPayment } from '#server/accounting/public.ts'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { closedNovember, type November } from '#server/accounting/testing.ts'
import { demoScope, giveRoles, signIn } from '#server/session/testing.ts'
import { readPdf } from '../movements/testing.ts'
import { mostLines } from './document.ts'

let november: November
beforeAll(async () => {
  november = await closedNovember()
  await november.app.world.database.kysely
    .updateTable('policies')
    .set({ reference: '=1+1,"x"' })
    .where('product_name', '=', 'Estudios y Larga Estancia')
    .execute()
})
afterAll(() => november.app.stop())

const number = 'azahar-2026-11'
type Asked = { format?: string; number?: string; locale?: string; of?: November; headers?: Record<string, string> }

const ask = ({ format = 'csv', number: asked = number, locale = 'es-ES', of = november, headers = of.accountant.headers }: Asked = {}) =>
  of.app.context.http.inject({
    url: `/api/accounting/statements/file?number=${encodeURIComponent(asked)}&format=${format}`,
    headers: { ...headers, 'accept-language': locale },
  })

/** Books a payment of ten euros to the agency. */
const payOut = ({ app: { world } }: November) =>
  world.database.inScope(demoScope('azahar'), tx =>
    bookPayment(world, tx, {
      requestId: randomUUID(),
      cents: 1000,
      currency: 'EUR',
      way: 'paid',
      by: randomUUID(),
      on: '2026-12-01',
      reference: 'N43-7',
    }),
  )

async function fileOf(asked: Asked): Promise<{ bytes: Buffer; name: string; type: string }> {
  const reply = await ask(asked)
  expect(reply.statusCode, reply.body.slice(0, 500)).toBe(200)
  const name = decodeURIComponent(/filename\*=UTF-8''(.+)/.exec(String(reply.headers['content-disposition']))?.[1] ?? '')
  return { bytes: reply.rawPayload, name, type: String(reply.headers['content-type']) }
}

const worked = [
  ['Venta', 33.76, 33.76, 8.74],
  ['Cambio', 17.08, 17.08, 4.42],
  ['Venta', 561.48, 0, 155.75],
  ['Anulación de la póliza', -50.84, -50.84, -13.16],
  ['Venta', 134.72, 134.72, 27.4],
  ['Cambio', -42.63, 0, -11.83],
]
const sums = [653.57, 134.72, 171.32]

test('the workbook of a statement has each line with its amounts, and their sums', async () => {
  const { bytes, name } = await fileOf({ format: 'xlsx' })
  expect(name).toBe('Liquidación azahar-2026-11.xlsx')
  const { sheets } = await readXlsx(bytes)
  const [head, ...rows] = sheets[0]?.rows ?? []
  const [total, ...below] = rows.splice(worked.length)
  expect(sheets[0]?.name).toBe(number)
  expect(head?.slice(0, 5)).toEqual(['Fecha', 'Póliza', 'Versión', 'Movimiento', 'Referencia'])
  expect(rows.map(row => [row[3], ...row.slice(8, 11)])).toEqual(worked)
  expect(rows.map(row => row[2])).toEqual(['1', '2', '1', '3', '1', '2'])
  expect(total?.slice(8, 12)).toEqual([...sums, 'EUR'])
  expect(below.map(row => [...row.slice(0, 5), ...row.slice(9, 11)])).toEqual([
    [null, null, null, 'Saldo anterior', null, 0, 0],
    [null, null, null, '6 movimientos', null, 134.72, 171.32],
    [null, null, null, 'Saldo', null, 134.72, 171.32],
    [null, null, null, 'Comisión compensada con la cuenta', null, -171.32, -171.32],
    [null, null, null, 'A pagar', null, -36.6, 0],
  ])
  // A reference that looks like a formula stays a text.
  expect(rows.map(row => row[4])).toContain('=1+1,"x"')
})

test('the CSV of a statement has the same lines, and computes nothing', async () => {
  const { bytes, name, type } = await fileOf({ format: 'csv' })
  const text = bytes.toString()
  expect([name, type]).toEqual(['Liquidación azahar-2026-11.csv', expect.stringContaining('text/csv')])
  expect(text.startsWith('\ufeffFecha;Póliza;Versión;')).toBe(true)
  const lines = text.split('\r\n')
  expect(lines).toHaveLength(worked.length + 8)
  expect(lines[1]).toMatch(/^2026-11-02;[^;]+;1;Venta;.*;33,76;33,76;8,74;EUR;2026-11-02T09:00:\d\d\.\d{3}Z;[\da-f-]{36}$/)
  expect(lines[5]).toContain(`;"'=1+1,""x""";`)
  expect(lines[7]).toContain(';653,57;134,72;171,32;EUR;')
  expect(lines[12]).toBe(';;;A pagar;;;;;;-36,60;0,00;EUR;;')
})

test.each(locales)('in %s, a statement’s CSV and workbook match it line by line', async locale => {
  const { sheets } = await readXlsx((await fileOf({ format: 'xlsx', locale })).bytes)
  const cells = (sheets[0]?.rows ?? []).map(row =>
    row.map(cell => (typeof cell === 'number' ? cell : typeof cell === 'string' ? cell : '')),
  )
  for (const csv of [(await fileOf({ format: 'csv', locale })).bytes.toString(), csvOf(cells, dialectOf(locale))]) {
    const { counts } = await november.asAccountant('match', { csv, statement: number })
    expect(counts).toEqual({ matched: 3, differs: 0, missingThere: 0, missingHere: 0, unclear: 0 })
  }
})

test.each(['pdf', 'xlsx', 'csv'])('a %s that is downloaded twice is the same, also after a later payment', async format => {
  const { bytes } = await fileOf({ format })
  await payOut(november)
  expect((await fileOf({ format })).bytes.equals(bytes)).toBe(true)
})

test.each([
  ['es-ES', 'Liquidación azahar-2026-11', 'noviembre de 2026', 'La aseguradora paga', '36,60 €'],
  ['en-EN', 'Statement azahar-2026-11', 'November 2026', 'The insurer pays', '€36.60'],
  ['fr-FR', 'Relevé azahar-2026-11', 'novembre 2026', 'L’assureur paie', '36,60 €'],
  ['it-IT', 'Estratto conto azahar-2026-11', 'novembre 2026', 'La compagnia paga', '36,60 €'],
  ['pt-PT', 'Extrato azahar-2026-11', 'novembro de 2026', 'A seguradora paga', '36,60 €'],
])('in %s, the document says who pays, the sums and every line', async (locale, ...said) => {
  const { bytes, type } = await fileOf({ format: 'pdf', locale })
  expect(type).toBe('application/pdf')
  const document = await readPdf(bytes)
  const text = document.text.replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ')
  for (const each of [...said, 'Viajes Azahar', 'Viaje Esencial']) expect(text).toContain(each)
  const amount = (cents: number) =>
    Math.abs(cents)
      .toFixed(2)
      .replace('.', locale === 'en-EN' ? '.' : ',')
  for (const each of [...worked.flatMap(([, ...amounts]) => amounts.map(Number)), ...sums]) expect(text).toContain(amount(each))
  expect([document.isTagged, document.isForAll]).toEqual([true, true])
})

test.each([
  ['es-ES', 'La agencia paga 134,72 €', 'A la cuenta ES78 9999 0001 4101 2345 6789, con el concepto azahar-2026-11'],
  ['fr-FR', 'L’agence paie 134,72 €', 'Sur le compte ES78 9999 0001 4101 2345 6789, avec la référence azahar-2026-11'],
])('in %s, the document says to which account the agency pays', async (locale, amount, account) => {
  const { kysely } = november.app.world.database
  const pdf = async () => (await readPdf((await fileOf({ format: 'pdf', locale })).bytes)).text.replaceAll(/[\u00a0\u202f]/g, ' ')
  // The insurer pays.
  expect(await pdf()).not.toContain('ES78')
  const set = (netted: boolean) => kysely.updateTable('statements').set({ netted }).where('number', '=', number).execute()
  await set(false)
  const text = await pdf()
  await set(true)
  expect(text).toContain(amount)
  expect(text).toContain(account)
})

test('no file of a statement names a client', async () => {
  const { kysely } = november.app.world.database
  const takers = await kysely.selectFrom('policies').select('taker').where('taker', '<>', '').execute()
  const { sheets } = await readXlsx((await fileOf({ format: 'xlsx' })).bytes)
  const said = [
    (await readPdf((await fileOf({ format: 'pdf' })).bytes)).text,
    JSON.stringify(sheets[0]?.rows),
    (await fileOf({ format: 'csv' })).bytes.toString(),
  ]
  expect(takers.length).toBeGreaterThan(0)
  for (const { taker } of takers) for (const text of said) expect(text).not.toContain(taker)
})

test('each download is audited', async () => {
  const { kysely } = november.app.world.database
  const entries = () => kysely.selectFrom('audit').select('details').where('action', '=', 'accounting.exported').orderBy('id').execute()
  const before = (await entries()).length
  for (const format of ['pdf', 'csv']) await fileOf({ format })
  expect((await entries()).slice(before).map(({ details }) => details)).toEqual([
    { statement: number, format: 'pdf', lines: 6 },
    { statement: number, format: 'csv', lines: 6 },
  ])
})

test('files are for users who see all sales of their own unit', async () => {
  const { app, seller } = november
  expect((await ask({ headers: seller.headers })).statusCode).toBe(403)
  await giveRoles(app, 'agent@rotta.example', ['manager'])
  expect((await ask({ headers: (await signIn(app, 'agent@rotta.example')).headers })).statusCode).toBe(404)
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  expect((await ask({ headers: (await signIn(app, 'manager@azahar.example')).headers })).statusCode).toBe(403)
  expect((await ask({ format: 'exe' })).statusCode).toBe(422)
  expect((await ask({ number: 'azahar-1999-01' })).statusCode).toBe(404)
})

test('a statement with too many lines to print has sums by product instead', async () => {
  const own = await closedNovember()
  for (let count = 0; count < 3; count += 1) await payOut(own)
  await own.at('2026-12-02T12:00:00Z')
  await copyLine(own, mostLines + 1600)
  await own.at('2027-01-01T05:00:00Z')
  await closeMonths(own.app.world)
  const december = { number: 'azahar-2026-12', of: own }
  const { pages, text } = await readPdf((await fileOf({ ...december, format: 'pdf', locale: 'en-EN' })).bytes)
  expect(pages).toHaveLength(1)
  expect(text).toMatch(/Paid to the agency\s+N43-7\s+€10\.00/)
  expect(text).toMatch(/2,200 transactions, too many to print\. Each of them is in the workbook/)
  const lines = (await fileOf(december)).bytes.toString().split('\r\n').slice(1, -1)
  const below = lines.splice(mostLines + 1600)
  expect(below.slice(1).map(line => line.split(';').filter((_, index) => [0, 3, 9, 10].includes(index)))).toEqual([
    ['', 'Saldo anterior', '134,72', '171,32'],
    ['', '2.200 movimientos', '-111848,00', '-28952,00'],
    ['', 'Compensado con la cuenta', '-171,32', '-171,32'],
    ['', 'Pagado durante el mes', '30,00', '0,00'],
    ...Array.from({ length: 3 }, () => ['2026-12-01', 'Pagado a la agencia · N43-7', '10,00', '0,00']),
    ['', 'Saldo', '-111854,60', '-28952,00'],
    ['', 'Comisión compensada con la cuenta', '28952,00', '28952,00'],
    ['', 'A pagar', '-82902,60', '0,00'],
  ])
  expect(new Set(lines.map(line => line.slice(-36))).size).toBe(lines.length)
  await own.app.stop()
})

/** Copies a cancellation of November so many times, later in the month that is open. */
async function copyLine({ app: { world } }: November, many: number): Promise<void> {
  // A movement of a policy moves money once, and these copies have no movements.
  await sql`alter table money_book drop constraint money_book_business_unit_id_deed_id_fkey`.execute(world.database.kysely)
  await sql`
    insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, deed_id, currency, insurer_premium, insurer_cost,
      commission_expense, commission_payable, agency_account, tax, taxes, product_id, seller_id)
    select business_unit_id, (left(${world.ids.next()}::text, 24) || lpad(to_hex(n), 12, '0'))::uuid,
      ${world.businessClock.now()}::timestamptz + n / 7 * interval '1 second', kind, policy_id, policy_version, gen_random_uuid(), currency,
      insurer_premium, insurer_cost, commission_expense, commission_payable, agency_account, tax, taxes, product_id, seller_id
    from money_book, generate_series(1, ${many}::int) as n
    where kind = 'cancellation' and at < '2026-12-01'`.execute(world.database.kysely)
}
