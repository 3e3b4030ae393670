import type * as calls from '#common/accounting/calls.ts'
import type { SharedOut } from '#common/accounting/shares.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { addMonths } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import { daysOf, maxMonths, mostRows } from '#common/accounting/period.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { ownOnly } from '#server/kit/caller.ts'
import { type KeptMonths, keptMonths, windowOf } from '../queries.ts'
import { sharesOf } from '../rates/queries.ts'
import { shareOfEach } from '../shares.ts'
import { calculatedMonth } from '../statements/calculation.ts'
import { amountsOf, type Earned, earnedIn, namesOf, noSums } from './queries.ts'

type Picture = ResponseSentOf<typeof calls.accountingEarnings>

/** Returns what the agency earned from one month to another. */
export const earnings =
  (world: World): Handler<typeof calls.accountingEarnings> =>
  input => {
    const { ask, caller, locale } = input
    const months = monthsOf(ask)
    return world.database.inScope(caller.unit.scope, async (tx): Promise<Picture> => {
      const settings = await unitSettings(tx)
      const { timeZone } = settings
      const currency = ask.currency ?? settings.currency
      const kept = await keptMonths(tx, currency, timeZone)
      const shares = await sharesOf(tx)
      const rows = await earnedIn(tx, { ...spanOf(ask, kept), currency, own: ownOnly(caller) }, shares.size > 0)
      await auditSums(world, tx, input)
      const of = (by: Earned['by']) => rows.filter(row => row.by === by)
      const byMonth = new Map(of('month').map(row => [row.of, row]))
      const named = async (kind: 'product' | 'seller') => {
        const most = ask.whole ? of(kind) : of(kind).slice(0, mostRows)
        const names = await namesOf(tx, kind, most.map(idOf), locale)
        return most.map(row => ({ uuid: idOf(row), name: names.get(idOf(row)) ?? '', ...amountsOf(row) }))
      }
      const shared = shareOfEach(
        of('seller_month').map(row => ({ seller: idOf(row), month: row.month ?? '', earned: row.earned })),
        shares,
      )
      const isOneMonth = ask.from === ask.to && ownOnly(caller) === undefined
      return {
        currency,
        month: isOneMonth ? await calculatedMonth(world, tx, { month: ask.from, kept, currency }) : null,
        total: amountsOf(of('total')[0] ?? noSums),
        months: months.map(name => ({ name, ...amountsOf(byMonth.get(name) ?? noSums) })),
        products: await named('product'),
        sellers: (await named('seller')).map(row => ({ ...row, share: shareOf(shared.get(row.uuid)) })),
        ways: of('way').map(row => ({ name: idOf(row), ...amountsOf(row) })),
      }
    })
  }

type Asked = HandlerInput<typeof calls.accountingEarnings> | HandlerInput<typeof calls.accountingRates>

/** Audits each view of sums that include other users' sales. */
export async function auditSums(world: World, tx: UnitTx, input: Asked): Promise<void> {
  const { from, to } = input.ask
  if (ownOnly(input.caller) === undefined) await auditListed(world, tx, input, { action: 'accounting.listed' }, { from, to })
}

/** Returns the months from one to another (YYYY-MM), oldest first. */
export function monthsOf({ from, to }: { from: string; to: string }): string[] {
  if (from > to) throw refuseFields([{ path: 'to', rule: 'order', key: 'accounting.to_before_from' }])
  const months = [from.slice(0, 7)]
  while ((months.at(-1) ?? to) < to.slice(0, 7) && months.length <= maxMonths) months.push(addMonths(`${months.at(-1)}-01`, 1).slice(0, 7))
  if (months.length > maxMonths)
    throw refuseFields([{ path: 'from', rule: 'range', key: 'accounting.too_many_months', params: { count: maxMonths } }])
  return months
}

/** Returns whole months (YYYY-MM) with the instants at which they begin and end. */
export const spanOf = ({ from, to }: { from: string; to: string }, kept: KeptMonths) => ({
  first: from,
  last: to,
  kept,
  ...windowOf(daysOf({ from, to }), kept),
})

const shareOf = (shared: SharedOut | undefined) =>
  shared ? { percent: shared.basisPoints === null ? null : shared.basisPoints / 100, amount: fromCents(shared.cents) } : null

const idOf = ({ of }: Earned): string => of ?? ''
