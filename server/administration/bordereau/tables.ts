import type { ColumnType } from 'kysely'
import type { ControlSums, OtherSums } from '#common/accounting/bordereau.ts'
import type { TaxSum } from '#common/accounting/tax-return.ts'
import type { Instant, InstantOrNull, JsonOrNull, UnitId } from '#server/database/columns.ts'

/** The control sums of a unit in one currency, in cents. */
export type UnitControl = { unit: string; file: OtherSums; statements: OtherSums; book: OtherSums }

/** The control sums of one currency, in cents. What was prepared before units were compared has none of theirs. */
export type CurrencySums = {
  currency: string
  file: ControlSums
  statements: OtherSums
  book: OtherSums
  taxes: TaxSum[]
  flagged: number
  units?: UnitControl[]
}

type BordereauTables = {
  bordereaux: {
    id: string
    request_id: string
    kind: 'premium'
    /** Its first day. */
    month: string
    units: string[]
    state: 'preparing' | 'prepared' | 'released'
    prepared_by: string
    prepared_at: Instant
    released_by: ColumnType<string | null, undefined, string>
    released_at: InstantOrNull
    sums: JsonOrNull<CurrencySums[]>
  }
  bordereau_files: { bordereau_id: string; name: string; size: number; sha256: string }
  bordereau_parts: { bordereau_id: string; name: string; position: number; content: Buffer }
  bordereau_units: { business_unit_id: UnitId; month: string; bordereau_id: string }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends BordereauTables {}
}
