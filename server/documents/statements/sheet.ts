import { calculationOf } from '#common/accounting/calculation.ts'
import { movementKinds, ways } from '#common/accounting/book.ts'
import { type EarnedRow, monthOfRow, type PaymentRow, type StatementRow } from '#server/accounting/public.ts'
import { daysIn } from '#server/kit/workbook/days.ts'
import type { Column, Row } from '#server/kit/workbook/cells.ts'
import type { Words } from '#common/kit/words/words.ts'
import { paymentName, stepName } from './document.ts'

/** The columns of a statement's lines. The first day is the agency's; the moment and the id stay the same, whatever its time zone. */
export const columnsIn = (words: Words): Column[] => [
  { header: words('documents.statement.day'), width: 12, kind: 'day' },
  { header: words('accounting.policy'), width: 18, kind: 'text' },
  { header: words('documents.edition'), width: 9, kind: 'text' },
  { header: words('accounting.what'), width: 20, kind: 'text' },
  { header: words('documents.reference'), width: 20, kind: 'text' },
  { header: words('accounting.product'), width: 26, kind: 'text' },
  { header: words('accounting.agent'), width: 24, kind: 'text' },
  { header: words('accounting.paid_by'), width: 18, kind: 'text' },
  { header: words('accounting.gross'), width: 12, kind: 'amount' },
  { header: words('accounting.on_account'), width: 12, kind: 'amount' },
  { header: words('accounting.earned'), width: 12, kind: 'amount' },
  { header: words('documents.statement.currency'), width: 8, kind: 'text' },
  { header: words('documents.statement.moment'), width: 20, kind: 'moment' },
  { header: words('documents.statement.line_id'), width: 38, kind: 'text' },
]

/** `netting` and `payments` are of the statement's month. They explain the amount due, below the lines. */
type Reader = { words: Words; timeZone: string; netting: number; payments: readonly PaymentRow[] }

/** Writes the lines in batches, and at the end their sums. The next batch is read while one is written, unless the client has left. */
export async function* rowsOf(
  read: (after: EarnedRow | undefined) => Promise<EarnedRow[]>,
  statement: StatementRow,
  { words, timeZone, netting, payments }: Reader,
  hasLeft: () => boolean,
): AsyncGenerator<Row[]> {
  const rowOf = rowWriter(statement, words, timeZone)
  for (let lines = await read(undefined); lines.length > 0; ) {
    const next = hasLeft() ? Promise.resolve([]) : read(lines.at(-1))
    // If the client leaves now, nothing awaits this batch, so its error would be unhandled.
    next.catch(() => {})
    yield lines.map(rowOf)
    lines = await next
  }
  yield [sumsOf(statement, words), ...calculationRows(statement, netting, payments, words)]
}

/** Returns the function that writes a line. A name is looked up once, not for each of a hundred thousand lines. */
function rowWriter({ currency }: StatementRow, words: Words, timeZone: string): (line: EarnedRow) => Row {
  const kinds = new Map(movementKinds.map(kind => [kind, words('accounting.kind', { kind })]))
  const wayNames = new Map(ways.map(way => [way, words('accounting.way', { way })]))
  const dayOf = daysIn(timeZone)
  return line => [
    dayOf(line.at),
    line.number ?? '',
    String(line.edition),
    kinds.get(line.kind) ?? '',
    line.reference,
    line.product_name,
    line.seller_name,
    wayNames.get(line.way) ?? '',
    line.gross_cents,
    line.account_cents,
    line.earned_cents,
    currency,
    line.at.getTime(),
    line.id,
  ]
}

const sumsOf = ({ currency, deeds, gross_cents, account_cents, earned_cents }: StatementRow, words: Words): Row => [
  '',
  words('documents.total'),
  '',
  words('accounting.count', { count: deeds }),
  '',
  '',
  '',
  '',
  gross_cents,
  account_cents,
  earned_cents,
  currency,
  '',
  '',
]

/** Returns rows without policy number and reference, so that a program that reads the lines takes none of them for one. */
function calculationRows(statement: StatementRow, netting: number, payments: readonly PaymentRow[], words: Words): Row[] {
  const row = (day: string, what: string, [gross, account, commission]: readonly Row[number][]): Row => [
    day,
    '',
    '',
    what,
    ...Array.from({ length: 4 }, () => ''),
    gross ?? '',
    account ?? '',
    commission ?? '',
    statement.currency,
    '',
    '',
  ]
  const paid = payments.map(each => {
    const what = [paymentName(each, words), each.reference].filter(Boolean).join(' · ')
    return row(each.on, what, ['', 0 - each.account, 0 - each.commission])
  })
  return calculationOf(monthOfRow(statement, netting)).flatMap(step => [
    row('', stepName(step, statement, words), ['', step.account, step.commission]),
    // The payments that make up this step.
    ...(step.name === 'paid' ? paid : []),
  ])
}
