import type { ColumnType } from 'kysely'
import type { ClaimCounts } from '#common/accounting/bordereau/claim-row.ts'
import type { CurrencySums } from '#common/accounting/bordereau/control-sums.ts'
import type { BordereauKind } from '#common/accounting/bordereau/kinds.ts'
import type { Instant, InstantOrNull, JsonOrNull, UnitId } from '#server/database/columns.ts'

export type BordereauTables = {
  bordereaux: {
    id: string
    request_id: string
    kind: BordereauKind
    /** The first day of the month. */
    month: string
    units: string[]
    state: 'preparing' | 'failed' | 'prepared' | 'released'
    /** The attempt that writes the files. */
    writer: ColumnType<string | null, undefined, string>
    prepared_by: string
    prepared_at: Instant
    released_by: ColumnType<string | null, undefined, string>
    released_at: InstantOrNull
    sums: JsonOrNull<CurrencySums[]>
    /** The counts of a bordereau of claims that is written. */
    claims: JsonOrNull<ClaimCounts>
  }
  bordereau_files: { bordereau_id: string; name: string; size: number; sha256: string }
  bordereau_parts: { bordereau_id: string; name: string; position: number; content: Buffer }
  bordereau_units: { business_unit_id: UnitId; month: string; kind: BordereauKind; bordereau_id: string }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends BordereauTables {}
}
