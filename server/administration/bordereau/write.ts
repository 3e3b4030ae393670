import { bordereauRow, type ReadDeed } from '#common/accounting/bordereau-row.ts'
import { daysOf } from '#common/accounting/period.ts'
import { dueOf430, type TaxReturn, taxReturns } from '#common/accounting/tax-return.ts'
import { countryCode } from '#common/geography/countries.ts'
import { fromCents } from '#common/kit/money.ts'
import { deedsOfMonth, monthOfUnit, type UnitMonth } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { longestSheet, type Row, workbook } from '#server/kit/workbook/workbook.ts'
import { csvHead, csvLine, csvOf, jsonEnd, jsonOf, sheetColumns, sheetRow } from './formats.ts'
import { beginWriting, type BordereauRow, markPrepared } from './queries.ts'
import { openSink } from './sink.ts'
import { controlOf, openSums } from './sums.ts'
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
    const sums = openSums(units.map(({ scope, sums }) => ({ unitId: scope.businessUnitId, sums })))
    await writeRows(world, row, units, (unit, deed) => sums.add(unit.scope.businessUnitId, deed))
    const written = sums.all()
    await writeReturns(world, row, written)
    const keys = new Map(units.map(({ scope, unit }) => [scope.businessUnitId, unit]))
    const control = controlOf(month, written, unitId => keys.get(unitId) ?? unitId)
    await writeFile(world, row.id, 'control.json', `${JSON.stringify(control, null, 2)}\n`)
    await world.database.asService(tx => markPrepared(tx, row.id, written))
  }

type OnDeed = (unit: UnitMonth, deed: ReadDeed) => void

/** Writes the rows in three formats while they are read once. */
async function writeRows(world: World, row: BordereauRow, units: UnitMonth[], onDeed: OnDeed): Promise<void> {
  const month = row.month.slice(0, 7)
  const period = { month, ...daysOf({ from: month, to: month }) }
  const [csv, json, sheet] = ['csv', 'json', 'xlsx'].map(format => openSink(world, row.id, `bordereau.${format}`))
  if (!csv || !json || !sheet) throw new Error('three formats have three sinks')
  let isFirst = true
  async function* cells(): AsyncGenerator<Row[]> {
    for (const unit of units)
      for await (const deeds of deedsOfMonth(world, unit)) {
        if (deeds.length === 0) continue
        for (const deed of deeds) onDeed(unit, deed)
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

async function writeFile(world: World, bordereauId: string, name: string, content: string): Promise<void> {
  const sink = openSink(world, bordereauId, name)
  await sink.write(content)
  await sink.end()
}
