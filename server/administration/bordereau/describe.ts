import { isEqual } from '#common/accounting/bordereau.ts'
import type * as calls from '#common/administration/bordereau-calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Named } from './queries.ts'
import type { CurrencySums } from './tables.ts'

export type Described = ResponseSentOf<typeof calls.releaseBordereau>

/** Describes a bordereau to an administrator. `names` are those of its units. */
export function describe(row: Named, names: ReadonlyMap<string, string>, userId: string): Described {
  return {
    uuid: row.id,
    period: row.month.slice(0, 7),
    kind: row.kind,
    state: row.state,
    businessUnits: row.units.map(uuid => ({ uuid, brandName: names.get(uuid) ?? '' })),
    preparedBy: person(row.prepared_by, row.prepared_name, row.prepared_email),
    preparedAt: row.prepared_at.toISOString(),
    releasedBy: person(row.released_by, row.released_name, row.released_email),
    releasedAt: row.released_at?.toISOString() ?? null,
    mayRelease: row.state === 'prepared' && row.prepared_by !== userId && areEqual(row.sums ?? []),
    sums: row.sums?.map(sumsOf) ?? null,
    files: row.files,
  }
}

export const areEqual = (sums: readonly CurrencySums[]): boolean =>
  sums.every(({ file, statements, book }) => isEqual(file, [statements, book]))

const person = (uuid: string | null, name: string | null, email: string | null) =>
  uuid !== null && name !== null && email !== null ? { uuid, name, email } : null

const sumsOf = ({ currency, file, statements, book, flagged }: CurrencySums) => ({
  currency,
  ...amountsOf(file),
  premium: fromCents(file.premium),
  net: fromCents(file.net),
  transactions: Object.entries(file.transactions).map(([transaction, { rows, gross }]) => ({ transaction, rows, gross: fromCents(gross) })),
  taxes: Object.entries(file.taxes).map(([code, { amount, kept }]) => ({ code, amount: fromCents(amount), kept: fromCents(kept) })),
  statements: amountsOf(statements),
  book: amountsOf(book),
  equal: isEqual(file, [statements, book]),
  flagged,
})

const amountsOf = ({ rows, gross, commission }: { rows: number; gross: number; commission: number }) => ({
  rows,
  gross: fromCents(gross),
  commission: fromCents(commission),
})
