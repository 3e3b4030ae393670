import { Readable } from 'node:stream'
import { movementKinds, ways } from '#common/accounting/book.ts'
import {
  currenciesOf,
  movementsOfDays,
  earnedBy,
  type EarnedRow,
  type Grouped,
  hasShares,
  namesOf,
  type Reported,
  sharesBy,
  soldBy,
} from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { daysIn } from '#server/kit/workbook/days.ts'
import type { Column, Row } from '#server/kit/workbook/cells.ts'
import { longestSheet } from '#server/kit/workbook/sheet.ts'
import { csv, workbook } from '#server/kit/workbook/workbook.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { ReportRow } from './queries.ts'
import type { Choice } from './tables.ts'

type Table = { columns: Column[]; rows: AsyncGenerator<Row[]> }

/** Writes the file of a report while its rows are read, in short transactions. */
export async function contentOf(world: World, scope: Scope, row: ReportRow, batch = 1000): Promise<Readable> {
  const words = world.words(row.locale)
  const days = { from: row.from_day, to: row.to_day }
  const { groupBy, filters } = row.choice
  const reported = { ...days, productId: filters.productUuid, way: filters.way }
  const [{ timeZone }, currencies, withShares] = await world.database.inScope(scope, async tx => [
    await unitSettings(tx),
    await currenciesOf(tx, days),
    await hasShares(tx, reported, groupBy),
  ])
  const [table, ...others] = currencies.map(currency => tableOf(world, scope, row, { words, timeZone, currency, batch, withShares }))
  if (!table) throw new Error('every agency has a currency')
  const only = await narrowedTo(world, scope, row, words)
  const rows = inTurn([...[table, ...others].map(each => each.rows), lineOf(only)])
  const content =
    row.choice.format === 'csv'
      ? csv({ ...table, rows, locale: row.locale })
      : workbook({ ...table, rows, name: sheetName(row.choice, words), longest: longestSheet, more: words('documents.sheet_full') })
  return Readable.from(content, { objectMode: false })
}

/** Describes after the rows how a report is narrowed, since its file is passed on without the screen. */
async function narrowedTo({ database }: World, scope: Scope, { choice: { filters }, locale }: ReportRow, words: Words): Promise<string[]> {
  const { productUuid, sellerUuid, way } = filters
  const named = async (kind: 'product' | 'seller', id: string) =>
    (await database.inScope(scope, tx => namesOf(tx, kind, [id], locale))).get(id) ?? id
  return [
    ...(productUuid ? [words('reports.only', { by: 'product', name: await named('product', productUuid) })] : []),
    ...(sellerUuid ? [words('reports.only', { by: 'agent', name: await named('seller', sellerUuid) })] : []),
    ...(way ? [words('reports.only', { by: 'way', name: words('accounting.way', { way }) })] : []),
  ]
}

async function* lineOf(texts: readonly string[]): AsyncGenerator<Row[]> {
  if (texts.length > 0) yield await Promise.resolve([[texts.join(' · ')]])
}

async function* inTurn(all: AsyncGenerator<Row[]>[]): AsyncGenerator<Row[]> {
  for (const rows of all) yield* rows
}

const sheetName = ({ report }: Choice, words: Words): string => words('reports.kind', { report })

/** `batch`: how many movements are read at a time. `withShares`: earnings show each agent's share of the commission. */
type Reader = { words: Words; timeZone: string; currency: string; batch: number; withShares: boolean }

function tableOf(world: World, scope: Scope, row: ReportRow, reader: Reader): Table {
  const { choice, from_day: from, to_day: to, own_of, locale } = row
  const { productUuid, sellerUuid, way } = choice.filters
  const days = { from, to, locale, currency: reader.currency, own: own_of ?? undefined, productId: productUuid, sellerId: sellerUuid, way }
  if (choice.report === 'deeds') return { columns: movementColumns(reader.words), rows: movementRows(world, scope, days, reader) }
  return choice.report === 'sales' ? salesTable(world, scope, days, choice, reader) : earningsTable(world, scope, days, choice, reader)
}

const amount = (header: string): Column => ({ header, width: 14, kind: 'amount' })
const number = (header: string): Column => ({ header, width: 12, kind: 'number' })
const currencyColumn = (words: Words): Column => ({ header: words('documents.statement.currency'), width: 8, kind: 'text' })

function salesTable({ database }: World, scope: Scope, days: Reported, { groupBy }: Choice, { words, currency }: Reader): Table {
  const groups = groupsOf(groupBy, words)
  async function* rows(): AsyncGenerator<Row[]> {
    const sums = await database.inScope(scope, tx => soldBy(tx, days, groupBy))
    const cells = sums.map(({ deeds, premium, gross, earned }) => [deeds, premium, gross - premium, gross, earned])
    const total: Row = [...groups.total, ...totals(cells, 5), currency]
    yield groupBy.length > 0 ? [...sums.map((row, index) => [...groups.cells(row), ...(cells[index] ?? []), currency]), total] : [total]
  }
  return {
    columns: [
      ...groups.columns,
      number(words('reports.policies')),
      amount(words('reports.premium')),
      amount(words('reports.taxes')),
      amount(words('accounting.gross')),
      amount(words('accounting.earned')),
      currencyColumn(words),
    ],
    rows: rows(),
  }
}

function earningsTable(world: World, scope: Scope, days: Reported, { groupBy }: Choice, reader: Reader): Table {
  const { words, currency, withShares } = reader
  const groups = groupsOf(groupBy, words)
  async function* rows(): AsyncGenerator<Row[]> {
    const [sums, shareOf] = await world.database.inScope(scope, async tx => [
      await earnedBy(tx, days, groupBy),
      withShares ? await sharesBy(tx, days, groupBy) : undefined,
    ])
    const cells = sums.map(({ deeds, gross, account, earned }) => [deeds, gross, account, earned])
    const shares = sums.map(row => shareOf?.(row))
    const sharedOut = shares.reduce((sum, share) => sum + (share?.cents ?? 0), 0)
    const total: Row = [...groups.total, ...totals(cells, 4), ...(shareOf ? ['', sharedOut] : []), currency]
    const rowOf = (row: Grouped<object>, index: number): Row => {
      const share = shares[index]
      return [...groups.cells(row), ...(cells[index] ?? []), ...(shareOf ? [share?.basisPoints ?? '', share?.cents ?? ''] : []), currency]
    }
    yield groupBy.length > 0 ? [...sums.map(rowOf), total] : [total]
  }
  return {
    columns: [
      ...groups.columns,
      number(words('accounting.deeds')),
      amount(words('accounting.gross')),
      amount(words('accounting.on_account')),
      amount(words('accounting.earned')),
      // A percentage has two decimals, as an amount.
      ...(withShares ? [amount(words('accounting.share_percent')), amount(words('accounting.share'))] : []),
      currencyColumn(words),
    ],
    rows: rows(),
  }
}

const totals = (cells: readonly number[][], count: number): number[] =>
  Array.from({ length: count }, (_, index) => cells.reduce((sum, row) => sum + (row[index] ?? 0), 0))

/** Returns the grouping columns of sums. Without groups there is one for the word of the total. */
function groupsOf(groupBy: Choice['groupBy'], words: Words) {
  const columns = {
    month: { header: words('accounting.by_month'), width: 12, kind: 'text' },
    product: { header: words('accounting.by_product'), width: 28, kind: 'text' },
    seller: { header: words('accounting.by_agent'), width: 26, kind: 'text' },
    way: { header: words('accounting.by_way'), width: 20, kind: 'text' },
  } as const satisfies Record<Choice['groupBy'][number], Column>
  const blank: Column = { header: '', width: 12, kind: 'text' }
  const cellOf = (row: Grouped<object>, group: Choice['groupBy'][number]): string =>
    group === 'way' ? words('accounting.way', { way: row.way ?? '' }) : (row[group] ?? '')
  return {
    columns: groupBy.length > 0 ? groupBy.map(group => columns[group]) : [blank],
    cells: (row: Grouped<object>): string[] => groupBy.map(group => cellOf(row, group)),
    total: [words('documents.total'), ...groupBy.slice(1).map(() => '')],
  }
}

const movementColumns = (words: Words): Column[] => [
  { header: words('accounting.policy'), width: 18, kind: 'text' },
  { header: words('accounting.product'), width: 28, kind: 'text' },
  { header: words('documents.statement.day'), width: 12, kind: 'day' },
  { header: words('accounting.what'), width: 20, kind: 'text' },
  { header: words('accounting.paid_by'), width: 18, kind: 'text' },
  amount(words('accounting.gross')),
  amount(words('accounting.earned')),
  currencyColumn(words),
]

async function* movementRows(
  { database }: World,
  scope: Scope,
  days: Reported,
  { words, timeZone, currency, batch }: Reader,
): AsyncGenerator<Row[]> {
  const kinds = new Map(movementKinds.map(kind => [kind, words('accounting.kind', { kind })]))
  const wayNames = new Map(ways.map(way => [way, words('accounting.way', { way })]))
  const dayOf = daysIn(timeZone)
  let [gross, earned] = [0, 0]
  const rowOf = (movement: EarnedRow): Row => {
    gross += movement.gross_cents
    earned += movement.earned_cents
    const names = [
      movement.number ?? '',
      movement.product_name,
      dayOf(movement.at),
      kinds.get(movement.kind) ?? '',
      wayNames.get(movement.way) ?? '',
    ]
    return [...names, movement.gross_cents, movement.earned_cents, currency]
  }
  let last: EarnedRow | undefined
  do {
    const after = last
    const movements = await database.inScope(scope, tx => movementsOfDays(tx, days, after, batch))
    yield movements.map(rowOf)
    last = movements.length === batch ? movements.at(-1) : undefined
  } while (last)
  yield [[words('documents.total'), '', '', '', '', gross, earned, currency]]
}
