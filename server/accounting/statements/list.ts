import type * as calls from '#common/accounting/calls.ts'
import { type Balances, paidIn } from '#common/accounting/statement.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { amountsOf } from '../earnings/queries.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { StatementRow } from './queries.ts'
import { dueOfRow, overdueOf, type Standing, standingOf } from './standing.ts'

type Listed = ResponseSentOf<typeof calls.accountingStatements>

/** Lists the closed months. A user who sees only own sales sees none, as they are the whole agency's. */
export const statements =
  (world: World): Handler<typeof calls.accountingStatements> =>
  input => {
    const { caller } = input
    const { page, perPage } = input.ask
    if (ownOnly(caller) !== undefined) throw new Refusal('session.forbidden')
    return world.database.inScope(caller.unit.scope, async tx => {
      const { timeZone } = await unitSettings(tx)
      const rows = await standingOf(tx, world.clock.now(), timeZone)
      const shown = rows.slice((page - 1) * perPage, page * perPage)
      await auditListed(world, tx, input, { action: 'accounting.listed' }, { page, shown: shown.length })
      return {
        total: rows.length,
        totalPages: Math.ceil(rows.length / perPage),
        page,
        perPage,
        statements: shown.map(each => statementOf(each, rows)),
      }
    })
  }

/** Describes a statement. `all`: the unit's statements, newest first, which show its opening balances and what else is overdue. */
export function statementOf({ row, state, carriedTo }: Standing, all: readonly Standing[]): Listed['statements'][number] {
  const due = dueOfRow(row)
  const overdue = carriedTo === null && state !== 'paid' ? overdueOf(all, row.currency) : undefined
  const paid = paidOf(row, all)
  return {
    uuid: row.id,
    number: row.number,
    month: row.month.slice(0, 7),
    currency: row.currency,
    closedAt: row.closed_at.toISOString(),
    dueOn: row.due_on,
    netted: row.netted,
    ...amountsOf({ deeds: row.deeds, gross: row.gross_cents, account: row.account_cents, earned: row.earned_cents }),
    stampDuty: { percent: row.stamp_duty_bp / 100, amount: fromCents(row.stamp_duty_cents) },
    before: { account: fromCents(row.account_before_cents), commission: fromCents(row.commission_before_cents) },
    paid: { account: fromCents(paid.account), commission: fromCents(paid.commission) },
    after: { account: fromCents(row.account_after_cents), commission: fromCents(row.commission_after_cents) },
    due: { account: fromCents(due.account), commission: fromCents(due.commission) },
    state,
    carriedTo,
    overdue: overdue ? { amount: fromCents(overdue.open), since: overdue.since } : null,
  }
}

/** Returns what payments moved in the month. If the previous statement was netted, so was the commission that it carried over. */
function paidOf(row: StatementRow, all: readonly Standing[]): Balances {
  const earlier = all.find(each => each.row.currency === row.currency && each.row.month < row.month)?.row
  const netting = earlier?.netted ? row.commission_before_cents : 0
  const { account_before_cents, account_cents, account_after_cents, commission_before_cents, earned_cents, commission_after_cents } = row
  return {
    account: paidIn({ before: account_before_cents, moved: account_cents, netting, after: account_after_cents }),
    commission: paidIn({
      before: commission_before_cents,
      moved: earned_cents - row.stamp_duty_cents,
      netting,
      after: commission_after_cents,
    }),
  }
}
