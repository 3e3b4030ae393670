import { isEqual, noSums, withRow } from '#common/accounting/bordereau.ts'
import { bordereauRow, type ReadDeed } from '#common/accounting/bordereau-row.ts'
import { daysOf } from '#common/accounting/period.ts'
import { addTaxes, dueOf430, type TaxReturn, taxReturns, type TaxSum } from '#common/accounting/tax-return.ts'
import { countryCode } from '#common/geography/countries.ts'
import { fromCents } from '#common/kit/money.ts'
import { deedsOfMonth, monthOfUnit, type UnitMonth, type UnitSums } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { longestSheet, type Row, workbook } from '#server/kit/workbook/workbook.ts'
import { csvHead, csvLine, csvOf, jsonEnd, jsonOf, sheetColumns, sheetRow } from './formats.ts'
import { beginWriting, type BordereauRow, markPrepared } from './queries.ts'
import { openSink } from './sink.ts'
import type { CurrencySums } from './tables.ts'

/** Event: the files of a bordereau are to be written. */
export const bordereauAsked = 'bordereau.asked'

/**
 * Writes the files of a bordereau and its control sums. An attempt that was broken off is begun anew: it is prepared only when all files are there. What
 * is read never changes, as its months are closed.
 */
export const writeBordereau =
  (world: World): Subscriber =>
  async ({ payload }) => {
    const row = await world.database.asService(tx => beginWriting(tx, String(payload['bordereauUuid'])))
    if (!row) return
    const month = row.month.slice(0, 7)
    const units = []
    for (const id of row.units) units.push(await monthOfUnit(world, id, month))
    const sums = openSums(units.flatMap(unit => unit.sums))
    await writeRows(world, row, units, deed => sums.add(deed))
    const written = sums.all()
    await writeReturns(world, row, written)
    await writeFile(world, row.id, 'control.json', `${JSON.stringify(controlOf(month, written), null, 2)}\n`)
    await world.database.asService(tx => markPrepared(tx, row.id, written))
  }

/** Writes the rows in three formats while they are read once. */
async function writeRows(world: World, row: BordereauRow, units: UnitMonth[], onDeed: (deed: ReadDeed) => void): Promise<void> {
  const month = row.month.slice(0, 7)
  const period = { month, ...daysOf({ from: month, to: month }) }
  const [csv, json, sheet] = ['csv', 'json', 'xlsx'].map(format => openSink(world, row.id, `bordereau.${format}`))
  if (!csv || !json || !sheet) throw new Error('three formats have three sinks')
  let isFirst = true
  async function* cells(): AsyncGenerator<Row[]> {
    for (const unit of units)
      for await (const deeds of deedsOfMonth(world, unit)) {
        if (deeds.length === 0) continue
        deeds.forEach(onDeed)
        const rows = deeds.map(deed => bordereauRow(deed, period, countryCode))
        await csv?.write(csvOf(rows))
        await json?.write(jsonOf(rows, isFirst))
        isFirst = false
        yield rows.map(sheetRow)
      }
  }
  await csv.write(csvHead)
  const content = workbook({ name: month, columns: sheetColumns, rows: cells(), longest: longestSheet, more: '…' })
  for await (const piece of content) await sheet.write(piece)
  await json.write(jsonEnd(isFirst))
  for (const sink of [csv, json, sheet]) await sink.end()
}

/** Adds up deeds by currency. The statements and the book say which currencies there are. */
function openSums(units: readonly UnitSums[]) {
  const byCurrency = new Map<string, Omit<CurrencySums, 'taxes'> & { taxes: Map<string, TaxSum> }>()
  for (const { currency, statement, book } of units) {
    const sum = byCurrency.get(currency) ?? { currency, file: noSums, statements: zero, book: zero, taxes: new Map(), flagged: 0 }
    byCurrency.set(currency, { ...sum, statements: plus(sum.statements, statement), book: plus(sum.book, book) })
  }
  return {
    add(deed: ReadDeed): void {
      const sum = byCurrency.get(deed.facts.currency)
      if (!sum) throw new Error(`no statement has the currency ${deed.facts.currency}`)
      sum.file = withRow(sum.file, deed.amounts, deed.transaction)
      addTaxes(sum.taxes, deed)
      if (deed.isLongElsewhere) sum.flagged += 1
    },
    all: (): CurrencySums[] => [...byCurrency.values()].map(sum => ({ ...sum, taxes: [...sum.taxes.values()] })),
  }
}

const zero = { rows: 0, gross: 0, commission: 0 }
const plus = (one: typeof zero, other: typeof zero) => ({
  rows: one.rows + other.rows,
  gross: one.gross + other.gross,
  commission: one.commission + other.commission,
})

/** Writes a file for each tax office, of the same sums as the rows. */
async function writeReturns(world: World, row: BordereauRow, sums: readonly CurrencySums[]): Promise<void> {
  const month = row.month.slice(0, 7)
  const returns = sums.flatMap(({ currency, taxes }) => taxReturns(taxes, countryCode).map(each => ({ ...each, currency })))
  for (const [name, own] of Map.groupBy(returns, each => each.name))
    await writeFile(world, row.id, `${name}.csv`, returnHead + own.map(each => returnLines(month, each)).join(''))
}

const returnHead = csvLine(['period', 'dueOn', 'jurisdiction', 'code', 'rate', 'currency', 'rows', 'base', 'tax', 'residesElsewhere'])

const returnLines = (month: string, { name, currency, taxes }: TaxReturn & { currency: string }): string =>
  taxes
    .map(({ country, code, rate, deeds, base, tax, flagged }) =>
      csvLine([
        month,
        name === 'tax-es-430' ? dueOf430(month) : null,
        countryCode(country),
        code,
        rate,
        currency,
        deeds,
        fromCents(base),
        fromCents(tax),
        flagged,
      ]),
    )
    .join('')

const controlOf = (period: string, sums: readonly CurrencySums[]) => ({
  period,
  currencies: sums.map(({ currency, file, statements, book, flagged }) => ({
    currency,
    file: inMajorUnits(file),
    statements: inMajorUnits(statements),
    book: inMajorUnits(book),
    equal: isEqual(file, [statements, book]),
    residesElsewhere: flagged,
  })),
})

/** Turns all amounts of sums to major units, however deep, and leaves numbers of rows as they are. */
function inMajorUnits(sums: object): object {
  return Object.fromEntries(
    Object.entries(sums).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'number') return [name, name === 'rows' ? value : fromCents(value)]
      return [name, typeof value === 'object' && value !== null ? inMajorUnits(value) : value]
    }),
  )
}

async function writeFile(world: World, bordereauId: string, name: string, content: string): Promise<void> {
  const sink = openSink(world, bordereauId, name)
  await sink.write(content)
  await sink.end()
}
