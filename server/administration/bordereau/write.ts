import { type CurrencySums, isEqualInAll, isEqualOfUnit, type UnitControl } from '#common/accounting/bordereau/control-sums.ts'
import { dueOf430, type TaxReturn, taxReturns } from '#common/accounting/bordereau/tax-return.ts'
import { countryCode } from '#common/geography/countries.ts'
import { fromCents } from '#common/kit/money.ts'
import { csvLine, monthOfUnit, openPacking, writeMonth } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type GivingUp, PermanentFailure, type Subscriber } from '#server/kit/work/outbox.ts'
import { writeClaims } from './claims.ts'
import { type Attempt, beginWriting, type BordereauRow, markFailed, markPrepared } from './queries.ts'
import { openSink, type Sink } from './sink.ts'

/** Event: the files of a bordereau are to be written. */
export const bordereauAsked = 'bordereau.asked'

/**
 * Writes the files of a bordereau and its control sums. An interrupted attempt starts over, and an earlier one on another node stores nothing more. The
 * input never changes, as its months are closed.
 */
export const writeBordereau =
  (world: World): Subscriber =>
  async ({ payload, attempts }) => {
    const attempt = { id: String(payload['bordereauUuid']), writer: world.ids.next() }
    try {
      await writeFiles(world, attempt)
    } catch (error) {
      if (attempts < mostAttempts) throw error
      throw new PermanentFailure(error instanceof Error ? error.message : String(error))
    }
  }

/** A person waits for the files and can prepare them again, so they fail after twelve minutes. */
const mostAttempts = 5

/** Says that a bordereau could not be written. */
export const bordereauGivenUp =
  (world: World): GivingUp =>
  (tx, { payload }) =>
    markFailed(tx, { id: String(payload['bordereauUuid']), writer: world.ids.next() })

async function writeFiles(world: World, attempt: Attempt): Promise<void> {
  const row = await world.database.asService(tx => beginWriting(tx, attempt))
  if (!row) return
  const sink = openSink(world, attempt)
  const content = row.kind === 'claims' ? await writeClaims(world, row, sink) : await writePremiums(world, row, sink)
  await sink.end()
  await world.database.asService(tx => markPrepared(tx, attempt, content))
}

type Asked = Pick<BordereauRow, 'month' | 'units'>

async function writePremiums(world: World, { month: firstDay, units: ids }: Asked, sink: Sink) {
  const month = firstDay.slice(0, 7)
  const units = []
  for (const id of ids) units.push(await monthOfUnit(world, id, month))
  const { sums, files } = await writeMonth(world, month, units, (name, packed) => sink.store(name, packed))
  const keys = new Map(units.map(({ scope, unit }) => [scope.businessUnitId, unit]))
  const control = controlOf(month, sums, unitId => keys.get(unitId) ?? unitId)
  for (const [name, content] of [...returnsOf(month, sums), ['control.json', `${JSON.stringify(control, null, 2)}\n`] as const]) {
    const pieces: Buffer[] = []
    const packing = openPacking(name, piece => pieces.push(piece.content))
    await packing.write(content)
    files.push(await packing.end())
    await sink.store(name, Buffer.concat(pieces))
  }
  return { sums, files }
}

/** Returns a file for each tax office, by name, from the same sums as the rows. */
function returnsOf(month: string, sums: readonly CurrencySums[]): (readonly [string, string])[] {
  const returns = sums.flatMap(({ currency, taxes }) => taxReturns(taxes, countryCode).map(each => ({ ...each, currency })))
  return [...Map.groupBy(returns, each => each.name)].map(
    ([name, own]) => [`${name}.csv`, returnHead + own.map(each => returnLines(month, each)).join('')] as const,
  )
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

/** The control sums as a file. `keyOf` names the units as the rows do. */
const controlOf = (period: string, sums: readonly CurrencySums[], keyOf: (unitId: string) => string) => ({
  period,
  currencies: sums.map(each => ({
    currency: each.currency,
    ...compared(each),
    equal: isEqualInAll(each),
    residesElsewhere: each.flagged,
    units: each.units?.map(own => ({ unit: keyOf(own.unit), ...compared(own), equal: isEqualOfUnit(own) })),
  })),
})

const compared = ({ file, statements, book }: Pick<UnitControl, 'file' | 'statements' | 'book'>) => ({
  file: inMajorUnits(file),
  statements: inMajorUnits(statements),
  book: inMajorUnits(book),
})

/** Converts all amounts of sums to major units, at any depth, but not the numbers of rows. */
function inMajorUnits(sums: object): object {
  return Object.fromEntries(
    Object.entries(sums).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'number') return [name, name === 'rows' ? value : fromCents(value)]
      return [name, typeof value === 'object' && value !== null ? inMajorUnits(value) : value]
    }),
  )
}
