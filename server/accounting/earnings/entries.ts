import type * as calls from '#common/accounting/calls.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { explainedMovementOf, takersFor } from '../pairs/explained.ts'
import type { ExplainedRow, Takers } from '../pairs/queries.ts'
import { isWholeMonths, keptMonths, windowOf } from '../queries.ts'
import { ownOnly } from '#server/kit/caller.ts'
import { openedAt } from '../statements/queries.ts'
import { standingOf, statementOfMovement, type Standing } from '../statements/standing.ts'
import { monthsOf } from './earnings.ts'
import { amountsOf, entriesOf, monthSums, sumsOf } from './queries.ts'

/** Lists the movements of a period, each with its statement. */
export const entries =
  (world: World): Handler<typeof calls.accountingEntries> =>
  async input => {
    const { ask, caller } = input
    const { from, to, page, perPage } = ask
    monthsOf(ask)
    return world.database.inScope(caller.unit.scope, async tx => {
      const settings = await unitSettings(tx)
      const { timeZone } = settings
      const currency = ask.currency ?? settings.currency
      const kept = await keptMonths(tx, currency, timeZone)
      const filter = {
        ...windowOf(ask, kept),
        currency,
        own: ownOnly(caller),
        policyId: ask.policyUuid ?? undefined,
        productId: ask.productUuid ?? undefined,
        sellerId: ask.sellerUuid ?? undefined,
        way: ask.way ?? undefined,
      }
      const standing = await standingOf(tx, world.clock.now(), timeZone)
      const opened = await openedAt(tx, filter.currency)
      const ofCurrency = standing.filter(({ row }) => row.currency === filter.currency)
      const isSummedUp = filter.policyId === undefined && isWholeMonths(ask)
      const months = { ...filter, first: from.slice(0, 7), last: to.slice(0, 7), kept }
      const sums = isSummedUp ? await monthSums(tx, months) : await sumsOf(tx, filter)
      const rows = await entriesOf(tx, filter, { offset: (page - 1) * perPage, limit: perPage })
      const { takers, audited } = await takersFor(tx, caller.unit.permissions, rows)
      await auditListed(world, tx, input, { action: 'accounting.listed' }, { from, to, page, shown: rows.length, ...audited })
      return {
        total: sums.deeds,
        totalPages: Math.ceil(sums.deeds / perPage),
        page,
        perPage,
        currency: filter.currency,
        sums: amountsOf(sums),
        entries: rows.map(row => entryOf(row, ofCurrency, opened, takers)),
      }
    })
  }

/** A movement from before the opening is paid, although it is on no statement. */
function entryOf(row: ExplainedRow, standing: Standing[], opened: Date | undefined, takers: Takers) {
  const statement = statementOfMovement(standing, row)
  const isPaid = statement ? statement.state === 'paid' : opened !== undefined && row.at <= opened
  const state = isPaid ? ('paid' as const) : statement ? ('on_statement' as const) : ('open' as const)
  return { ...explainedMovementOf(row, standing, takers), state, statement: statement?.row.number ?? null }
}
