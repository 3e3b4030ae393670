import type * as calls from '#common/accounting/calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents, roundedRatio } from '#common/kit/money.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditSums, monthsOf, spanOf } from '../earnings/earnings.ts'
import { keptMonths } from '../queries.ts'
import { earnedIn } from '../earnings/queries.ts'
import { ownOnly } from '#server/kit/caller.ts'
import { type Quotes, quotesIn, refundedIn } from './queries.ts'

type Rates = ResponseSentOf<typeof calls.accountingRates>

/** Returns the conversion and the refunds of each month. A call of its own, so that earnings do not wait for the counts. */
export const rates =
  (world: World): Handler<typeof calls.accountingRates> =>
  input => {
    const { ask, caller } = input
    const names = monthsOf(ask)
    return world.database.inScope(caller.unit.scope, async (tx): Promise<Rates> => {
      const settings = await unitSettings(tx)
      const { timeZone } = settings
      const currency = ask.currency ?? settings.currency
      const kept = await keptMonths(tx, currency, timeZone)
      const span = { ...spanOf(ask, kept), currency, own: ownOnly(caller) }
      const months = names.map(name => ({ name, ...spanOf({ from: name, to: name }, kept) }))
      const quotes = await quotesIn(tx, months, span)
      const refunded = await refundedIn(tx, span, span)
      const rows = await earnedIn(tx, span)
      await auditSums(world, tx, input)
      const gross = new Map(rows.filter(({ by }) => by === 'month').map(row => [row.of, row.gross]))
      const counts = names.map(name => {
        const back = refunded.get(name) ?? 0
        return { name, ...(quotes.get(name) ?? noQuotes), charged: (gross.get(name) ?? 0) + back, refunded: back }
      })
      return {
        currency,
        total: ratesOf(counts.reduce(added, { ...noQuotes, charged: 0, refunded: 0 })),
        months: counts.map(each => ({ name: each.name, ...ratesOf(each) })),
      }
    })
  }

type Counts = Quotes & { charged: number; refunded: number }

const noQuotes: Quotes = { quotes: 0, sold: 0 }

const added = (sum: Counts, each: Counts): Counts => ({
  quotes: sum.quotes + each.quotes,
  sold: sum.sold + each.sold,
  charged: sum.charged + each.charged,
  refunded: sum.refunded + each.refunded,
})

const ratesOf = ({ quotes, sold, charged, refunded }: Counts) => ({
  quotes,
  sold,
  charged: fromCents(charged),
  refunded: fromCents(refunded),
  conversion: rateOf(sold, quotes),
  refundRate: rateOf(refunded, charged),
})

/** Returns a part divided by a whole, with four decimals; null if the whole is 0. Both are integers: counts, or cents. */
export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : roundedRatio([part, 10_000], [whole]) / 10_000)
