import { type CurrencySums, isEqualInAll, isEqualOfUnit, type UnitControl } from '#common/accounting/bordereau/control-sums.ts'
import { fromCents } from '#common/kit/money.ts'

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

/** Converts all amounts of sums to major units, at any depth, but not the numbers of rows. */
function inMajorUnits(sums: object): object {
  return Object.fromEntries(
    Object.entries(sums).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'number') return [name, name === 'rows' ? value : fromCents(value)]
      return [name, typeof value === 'object' && value !== null ? inMajorUnits(value) : value]
    }),
  )
}
