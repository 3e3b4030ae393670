import { isEqual, noSums, type OtherSums, withRow } from '#common/accounting/bordereau.ts'
import type { ReadDeed } from '#common/accounting/bordereau-row.ts'
import { addTaxes, type TaxSum } from '#common/accounting/tax-return.ts'
import { fromCents } from '#common/kit/money.ts'
import type { UnitSums } from '#server/accounting/public.ts'
import type { CurrencySums, UnitControl } from './tables.ts'

/** What the statements and the book of a unit say, by currency. */
export type SumsOfUnit = { unitId: string; sums: readonly UnitSums[] }

type Open = Omit<CurrencySums, 'taxes' | 'units'> & { taxes: Map<string, TaxSum>; units: Map<string, UnitControl> }

/** Adds up deeds by currency, and by their units. The statements and the book say which currencies there are. */
export function openSums(units: readonly SumsOfUnit[]) {
  const byCurrency = new Map<string, Open>()
  for (const { unitId, sums } of units)
    for (const { currency, statement, book } of sums) {
      const { units, ...sum } = byCurrency.get(currency) ?? { ...nothing, currency, taxes: new Map(), units: new Map() }
      units.set(unitId, { unit: unitId, file: zero, statements: statement, book })
      byCurrency.set(currency, { ...sum, units, statements: plus(sum.statements, statement), book: plus(sum.book, book) })
    }
  return {
    add(unitId: string, deed: ReadDeed): void {
      const { currency } = deed.facts
      const sum = byCurrency.get(currency)
      const unit = sum?.units.get(unitId)
      if (!sum || !unit) throw new Error(`no statement of the unit ${unitId} has the currency ${currency}`)
      const { gross, commission } = deed.amounts
      unit.file = plus(unit.file, { rows: 1, gross, commission })
      sum.file = withRow(sum.file, deed.amounts, deed.transaction)
      addTaxes(sum.taxes, deed)
      if (deed.isLongElsewhere) sum.flagged += 1
    },
    all: (): CurrencySums[] =>
      [...byCurrency.values()].map(sum => ({ ...sum, taxes: [...sum.taxes.values()], units: [...sum.units.values()] })),
  }
}

const zero: OtherSums = { rows: 0, gross: 0, commission: 0 }
const nothing = { file: noSums, statements: zero, book: zero, flagged: 0 }
const plus = (one: OtherSums, other: OtherSums): OtherSums => ({
  rows: one.rows + other.rows,
  gross: one.gross + other.gross,
  commission: one.commission + other.commission,
})

/** True if the file, the statements and the book are equal: two units whose differences cancel each other out are not. */
export const isEqualInAll = ({ file, statements, book, units = [] }: CurrencySums): boolean =>
  isEqual(file, [statements, book]) && units.every(isEqualOfUnit)

export const isEqualOfUnit = ({ file, statements, book }: UnitControl): boolean => isEqual(file, [statements, book])

/** Returns which of these units differ. A difference that no unit explains is one of all. */
export function unequalUnits(sums: readonly CurrencySums[], all: readonly string[]): readonly string[] {
  if (sums.every(isEqualInAll)) return []
  const differing = new Set(sums.flatMap(({ units = [] }) => units.filter(each => !isEqualOfUnit(each)).map(({ unit }) => unit)))
  return differing.size > 0 ? [...differing] : all
}

/** The control sums as a file. `keyOf` names the units as the rows do. */
export const controlOf = (period: string, sums: readonly CurrencySums[], keyOf: (unitId: string) => string) => ({
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

/** Turns all amounts of sums to major units, however deep, and leaves numbers of rows as they are. */
function inMajorUnits(sums: object): object {
  return Object.fromEntries(
    Object.entries(sums).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'number') return [name, name === 'rows' ? value : fromCents(value)]
      return [name, typeof value === 'object' && value !== null ? inMajorUnits(value) : value]
    }),
  )
}
