import type { OtherSums } from '#common/accounting/bordereau/amounts.ts'
import type { KnownTaxes } from '#common/accounting/bordereau/row.ts'
import type { UnitSums } from '#common/accounting/bordereau/control-sums.ts'
import { daysOf } from '#common/accounting/period.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { scopeOf } from '#server/session/public.ts'
import { spanOf } from '../detail/queries.ts'
import { termsOf } from '../limit/queries.ts'
import { keptMonths, type Place, type Span, windowOf } from '../queries.ts'
import { bookSums, movementsAfter, isOpen, keyOfUnit, lastOfBatches, statementsOfMonth, taxesOfEdition } from './queries.ts'

/** How many movements a batch has, which is read in one short transaction. */
const usualBatch = 500

type Statement = { number: string; currency: string; span: Span; sums: OtherSums }

/** A unit's closed month: its statements, and the unit's facts for each row. */
export type UnitMonth = { scope: Scope; unit: string; country: number; timeZone: string; withNames: boolean; statements: Statement[] }

/** True if the unit's month is not closed though it has movements. */
export const openMonthOf = async (tx: UnitTx, month: string): Promise<boolean> => isOpen(tx, month, (await unitSettings(tx)).timeZone)

/** A unit's month, as a bordereau without amounts needs it. */
export type UnitWindow = { scope: Scope; unit: string; country: number; timeZone: string; from: Date; until: Date }

/** Returns the instants of a unit's month: those of its statement, or of the calendar where it has none. */
export const windowOfUnit = (world: World, unitId: string, month: string): Promise<UnitWindow> =>
  world.database.inScope(scopeOf(unitId), async tx => {
    const { timeZone, currency, address } = await unitSettings(tx)
    const window = windowOf(daysOf({ from: month, to: month }), await keptMonths(tx, currency, timeZone))
    return { scope: tx.scope, unit: await keyOfUnit(tx), country: address.country, timeZone, ...window }
  })

/** Reads a unit's closed month for a bordereau. Reads only the sums of its movements. */
export const monthOfUnit = (world: World, unitId: string, month: string): Promise<UnitMonth & { sums: UnitSums[] }> =>
  world.database.inScope(scopeOf(unitId), tx => readMonth(tx, month))

async function readMonth(tx: UnitTx, month: string): Promise<UnitMonth & { sums: UnitSums[] }> {
  const key = await keyOfUnit(tx)
  const { timeZone, address } = await unitSettings(tx)
  const rows = await statementsOfMonth(tx, month)
  const statements = await Promise.all(
    rows.map(async row => ({
      number: row.number,
      currency: row.currency,
      span: await spanOf(tx, row),
      sums: { rows: row.deeds, gross: row.gross_cents, commission: row.earned_cents },
    })),
  )
  const sums = await Promise.all(
    statements.map(async ({ currency, span, sums }) => ({ currency, statement: sums, book: await bookSums(tx, span) })),
  )
  return {
    scope: tx.scope,
    unit: key,
    country: address.country,
    timeZone,
    withNames: (await termsOf(tx))?.names_in_bordereau ?? false,
    statements,
    sums,
  }
}

/** Rows of one statement, with the taxes of catalogue versions that no earlier batch had. `statement` is its index in the month. */
export type MonthBatch = { statement: number; rows: string; taxes: Map<number, KnownTaxes> }

/** How many batches are read ahead while one is written. */
const mostReading = 2

/**
 * Reads the movements of a unit's closed month in batches, each in a short transaction. Any number of rows thus neither fills the memory nor delays a
 * sale. The next batches are read while one is written.
 */
export async function* batchesOfMonth(world: World, month: UnitMonth, batch = usualBatch): AsyncGenerator<MonthBatch> {
  const { scope, timeZone, statements } = month
  const known = new Set<number>()
  for (const [statement, { span }] of statements.entries()) {
    const read = (after?: Place) =>
      world.database.inScope(scope, async tx => {
        const { rows, count, editions } = await movementsAfter(tx, span, timeZone, after, batch)
        const taxes = new Map<number, KnownTaxes>()
        for (const edition of editions) if (!known.has(edition)) taxes.set(edition, await taxesOfEdition(tx, edition))
        return { rows, count, taxes }
      })
    const left = [undefined, ...(await world.database.inScope(scope, tx => lastOfBatches(tx, span, batch)))]
    const reading: ReturnType<typeof read>[] = []
    while (left.length + reading.length > 0) {
      for (const after of left.splice(0, mostReading + 1 - reading.length)) {
        const next = read(after)
        // If the writer fails now, nothing awaits this batch, so its error would be unhandled.
        next.catch(() => {})
        reading.push(next)
      }
      const found = await reading.shift()
      if (!found || found.count === 0) continue
      for (const edition of found.taxes.keys()) known.add(edition)
      yield { statement, rows: found.rows, taxes: found.taxes }
    }
  }
}
