import type { OtherSums } from '#common/accounting/bordereau/amounts.ts'
import { type CurrencySums, isEqualInAll, isEqualOfUnit, unequalUnits } from '#common/accounting/bordereau/control-sums.ts'
import type * as calls from '#common/administration/calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import type { World } from '#server/kit/app-context.ts'
import { pagesOf } from '#server/kit/paging.ts'
import type { Handler } from '#server/kit/serve.ts'
import { type Reader, readerOf, refusalOf } from './four-eyes.ts'
import { bordereauxOf, chosenUnits, type Named, periodRows, type UnitOfMonth } from './queries.ts'

type Described = ResponseSentOf<typeof calls.releaseBordereau>

/** Describes a bordereau to an administrator. `names` are those of its units. */
export function describe(row: Named, names: ReadonlyMap<string, string>, reader: Reader): Described {
  const named = (uuid: string) => ({ uuid, brandName: names.get(uuid) ?? '' })
  return {
    uuid: row.id,
    period: row.month.slice(0, 7),
    kind: row.kind,
    state: row.state,
    businessUnits: row.units.map(named),
    preparedBy: person(row.prepared_by, row.prepared_name, row.prepared_email),
    preparedAt: row.prepared_at.toISOString(),
    releasedBy: person(row.released_by, row.released_name, row.released_email),
    releasedAt: row.released_at?.toISOString() ?? null,
    mayRelease: row.state === 'prepared' && !refusalOf(row, reader) && unequalUnits(row.sums ?? [], row.units).length === 0,
    sums: row.sums?.map(sums => sumsOf(sums, named)) ?? null,
    claims: row.claims && {
      rows: row.claims.rows,
      filed: row.claims.filed,
      states: Object.entries(row.claims.states).map(([state, rows]) => ({ state, rows })),
    },
    files: row.files,
  }
}

const person = (uuid: string | null, name: string | null, email: string | null) =>
  uuid !== null && name !== null && email !== null ? { uuid, name, email } : null

type UnitName = Described['businessUnits'][number]

function sumsOf(sums: CurrencySums, named: (unitId: string) => UnitName) {
  const { currency, file, flagged, units = [] } = sums
  return {
    currency,
    ...compared(sums),
    premium: fromCents(file.premium),
    net: fromCents(file.net),
    transactions: Object.entries(file.transactions).map(([transaction, { rows, gross }]) => ({
      transaction,
      rows,
      gross: fromCents(gross),
    })),
    taxes: Object.entries(file.taxes).map(([code, { amount, kept }]) => ({ code, amount: fromCents(amount), kept: fromCents(kept) })),
    equal: isEqualInAll(sums),
    flagged,
    units: units.map(own => ({ businessUnit: named(own.unit), ...compared(own), equal: isEqualOfUnit(own) })),
  }
}

const compared = ({ file, statements, book }: Record<'file' | 'statements' | 'book', OtherSums>) => ({
  ...amountsOf(file),
  statements: amountsOf(statements),
  book: amountsOf(book),
})

const amountsOf = ({ rows, gross, commission }: OtherSums) => ({
  rows,
  gross: fromCents(gross),
  commission: fromCents(commission),
})

export const listBordereaux =
  (world: World): Handler<typeof calls.listBordereaux> =>
  async ({ ask, caller: { allUnits, userId } }) =>
    world.database.acrossUnits(allUnits, async tx => {
      const rows = await periodRows(tx, ask)
      const found = await bordereauxOf(
        tx,
        rows.map(({ month }) => month),
      )
      const units = await chosenUnits(tx, [...new Set(found.flatMap(row => row.units))])
      const reader = await readerOf(world, tx, userId, found)
      const names = new Map(units.map(({ id, brandName }) => [id, brandName]))
      const periods = rows.map(({ month, units }) => {
        const bordereaux = found.filter(row => row.month.startsWith(month)).map(row => describe(row, names, reader))
        return {
          period: month,
          state: stateOf(units, bordereaux),
          units: units.map(({ id, brandName, released }) => ({ businessUnit: { uuid: id, brandName }, released })),
          bordereaux,
        }
      })
      return { ...pagesOf(rows[0]?.total ?? 0, ask), periods }
    })

type PeriodState = ResponseSentOf<typeof calls.listBordereaux>['periods'][number]['state']

/** Returns `released` once the premiums of all units are, else the state of the newest bordereau of premiums that is not. */
function stateOf(units: readonly UnitOfMonth[], bordereaux: readonly Described[]): PeriodState {
  if (units.every(({ released }) => released.includes('premium'))) return 'released'
  return bordereaux.find(({ kind, state }) => kind === 'premium' && state !== 'released')?.state ?? 'open'
}
