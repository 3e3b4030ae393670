import type * as calls from '#common/accounting/calls.ts'
import { addDays, startOfDay } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { deedOf } from '../deed.ts'
import type { EarnedRow } from '../queries.ts'
import { ownOnly } from '../sight.ts'
import { standingOf, statementOfDeed, type Standing } from '../statements/standing.ts'
import { amountsOf, monthsOf } from './earnings.ts'
import { entriesOf, monthSums, sumsOf } from './queries.ts'
import { wholeMonths } from './whole-months.ts'

/** Lists the deeds of some days, each with the statement that it is on. */
export const entries =
  (world: World): Handler<typeof calls.accountingEntries> =>
  async input => {
    const { ask, caller } = input
    const { from, to, page, perPage } = ask
    monthsOf(ask)
    return world.database.inScope(caller.unit.scope, async tx => {
      const settings = await unitSettings(tx)
      const { timeZone } = settings
      const filter = {
        from: new Date(startOfDay(from, timeZone)),
        until: new Date(startOfDay(addDays(to, 1), timeZone)),
        currency: ask.currency ?? settings.currency,
        own: ownOnly(caller),
        policyId: ask.policyUuid ?? undefined,
        productId: ask.productUuid ?? undefined,
        sellerId: ask.sellerUuid ?? undefined,
        way: ask.way ?? undefined,
      }
      const standing = await standingOf(tx, world.clock.now(), timeZone)
      const ofCurrency = standing.filter(({ row }) => row.currency === filter.currency)
      const months = filter.policyId === undefined && wholeMonths(ask, ofCurrency, timeZone)
      const sums = months ? await monthSums(tx, { ...filter, ...months, timeZone }) : await sumsOf(tx, filter)
      const rows = await entriesOf(tx, filter, { offset: (page - 1) * perPage, limit: perPage })
      await auditListed(world, tx, input, { action: 'accounting.listed' }, { from, to, page, shown: rows.length })
      return {
        total: sums.deeds,
        totalPages: Math.ceil(sums.deeds / perPage),
        page,
        perPage,
        currency: filter.currency,
        sums: amountsOf(sums),
        entries: rows.map(row => entryOf(row, ofCurrency)),
      }
    })
  }

function entryOf(row: EarnedRow, standing: Standing[]) {
  const statement = statementOfDeed(standing, row)
  const state = statement ? (statement.state === 'paid' ? ('paid' as const) : ('on_statement' as const)) : ('open' as const)
  return { ...deedOf(row), state, statement: statement?.row.number ?? null }
}
