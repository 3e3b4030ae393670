import { type ControlSums, isEqual, noSums, type OtherSums, withRow } from './amounts.ts'
import type { ReadMovement } from './row.ts'
import { addTaxes, type TaxSum } from './tax-return.ts'

/** The sums of an agency's movements in one currency, by its statement and by the money book. */
export type UnitSums = { currency: string; statement: OtherSums; book: OtherSums }

/** The control sums of an agency in one currency, in cents. */
export type UnitControl = { unit: string; file: OtherSums; statements: OtherSums; book: OtherSums }

/** The control sums of one currency, in cents. Older bordereaux have none per agency. */
export type CurrencySums = {
  currency: string
  file: ControlSums
  statements: OtherSums
  book: OtherSums
  taxes: TaxSum[]
  flagged: number
  units?: UnitControl[]
}

/** An agency with the sums of its statements and of its book. */
export type SumsOfUnit = { unitId: string; sums: readonly UnitSums[] }

type Open = Omit<CurrencySums, 'taxes' | 'units'> & { taxes: Map<string, TaxSum>; units: Map<string, UnitControl> }

/** Adds up movements by currency and agency. The currencies are those of the statements and of the book. */
export function openSums(units: readonly SumsOfUnit[]) {
  const byCurrency = new Map<string, Open>()
  for (const { unitId, sums } of units)
    for (const { currency, statement, book } of sums) {
      const { units, ...sum } = byCurrency.get(currency) ?? { ...nothing, currency, taxes: new Map(), units: new Map() }
      units.set(unitId, { unit: unitId, file: zero, statements: statement, book })
      byCurrency.set(currency, { ...sum, units, statements: plus(sum.statements, statement), book: plus(sum.book, book) })
    }
  return {
    add(unitId: string, movement: ReadMovement): void {
      const { currency } = movement.facts
      const sum = byCurrency.get(currency)
      const unit = sum?.units.get(unitId)
      if (!sum || !unit) throw new Error(`no statement of the unit ${unitId} has the currency ${currency}`)
      const { gross, commission } = movement.amounts
      unit.file = plus(unit.file, { rows: 1, gross, commission })
      sum.file = withRow(sum.file, movement.amounts, movement.transaction)
      addTaxes(sum.taxes, movement)
      if (movement.isLongElsewhere) sum.flagged += 1
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

/** True if the file, the statements and the book are equal for each agency: differences must not cancel each other out. */
export const isEqualInAll = ({ file, statements, book, units = [] }: CurrencySums): boolean =>
  isEqual(file, [statements, book]) && units.every(isEqualOfUnit)

export const isEqualOfUnit = ({ file, statements, book }: UnitControl): boolean => isEqual(file, [statements, book])

/** Returns the agencies whose sums differ. A difference that no agency explains is attributed to all. */
export function unequalUnits(sums: readonly CurrencySums[], all: readonly string[]): readonly string[] {
  if (sums.every(isEqualInAll)) return []
  const differing = new Set(sums.flatMap(({ units = [] }) => units.filter(each => !isEqualOfUnit(each)).map(({ unit }) => unit)))
  return differing.size > 0 ? [...differing] : all
}
