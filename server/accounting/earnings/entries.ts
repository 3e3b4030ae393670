import type * as calls from '#common/accounting/calls.ts'
import { addDays, addMonths, startOfDay } from '#common/kit/dates.ts'
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
      const months = filter.policyId === undefined && ofCurrency.every(isClosedIn(timeZone)) && wholeMonths(from, to)
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

/** Returns the first and last month if the days are whole months. */
const wholeMonths = (from: string, to: string) =>
  from.endsWith('-01') && addDays(to, 1).endsWith('-01') && { first: from.slice(0, 7), last: to.slice(0, 7) }

/** False if the unit had another time zone when it closed a month: that one has other deeds than the month that is listed. */
const isClosedIn =
  (timeZone: string) =>
  ({ row: { month, ends_at } }: Standing) =>
    ends_at.getTime() === startOfDay(addMonths(month, 1), timeZone)

function entryOf(row: EarnedRow, standing: Standing[]) {
  const statement = statementOfDeed(standing, row)
  const state = statement ? (statement.state === 'paid' ? ('paid' as const) : ('on_statement' as const)) : ('open' as const)
  return { ...deedOf(row), state, statement: statement?.row.number ?? null }
}
