import type * as calls from '#common/accounting/calls.ts'
import { equationsOf, type Month } from '#common/accounting/calculation.ts'
import { movementKinds } from '#common/accounting/book.ts'
import { openNow } from '#common/accounting/statement.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { daysOf } from '#common/accounting/period.ts'
import { today } from '#common/kit/dates.ts'
import { fromCents, roundedRatio } from '#common/kit/money.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { commonContent } from '#server/products/public.ts'
import { nettingIn, spanOf } from '../detail/queries.ts'
import { type KeptMonths, monthAfter, windowOf } from '../queries.ts'
import { termsOf } from '../limit/queries.ts'
import { dutyOf } from './close.ts'
import { statementOf } from './list.ts'
import { balancesBefore, idAfterClosing, type KindSums, lastStatement, type StatementRow, sumsOfSpan, sumsOfStatement } from './queries.ts'
import { dueOfRow, monthOfRow, type Standing, standingOf } from './standing.ts'

type Picture = NonNullable<ResponseSentOf<typeof calls.accountingEarnings>['month']>
type Calculation = Picture['calculation']

type Chosen = { month: string; kept: KeptMonths; currency: string }

/** Returns how the amount due of a month comes about. Null if it is not closed and does not follow the last closed one. */
export async function calculatedMonth(world: World, tx: UnitTx, chosen: Chosen): Promise<Picture | null> {
  const { month, kept, currency } = chosen
  const now = world.clock.now()
  const standing = await standingOf(tx, now, kept.timeZone)
  const found = standing.find(({ row }) => row.currency === currency && row.month.startsWith(month))
  if (found) {
    const closed = { statement: statementOf(found, standing), open: openAmountsOf(found) }
    return { calculation: await closedCalculation(tx, found.row, await nettingIn(tx, await spanOf(tx, found.row))), closed }
  }
  const calculation = await openCalculation(tx, chosen, today(now, kept.timeZone).slice(0, 7))
  return calculation ? { calculation, closed: null } : null
}

/** Returns the amounts of a statement that are still to be paid. */
export function openAmountsOf({ row, settled, owed }: Standing) {
  const { account, commission } = openNow(dueOfRow(row), settled, owed)
  return { account: fromCents(account), commission: fromCents(commission) }
}

/** Returns how the amount due of a statement came about. */
export const closedCalculation = async (tx: UnitTx, row: StatementRow, netting: number): Promise<Calculation> =>
  calculationIn(tx, {
    month: monthOfRow(row, netting),
    kinds: await sumsOfStatement(tx, row),
    currency: row.currency,
    dutyBp: row.stamp_duty_bp,
  })

/** Returns what would be due if the month ended now. */
async function openCalculation(tx: UnitTx, { month, kept, currency }: Chosen, thisMonth: string): Promise<Calculation | undefined> {
  const last = await lastStatement(tx, currency)
  if (month !== (last ? monthAfter(last.month.slice(0, 7)) : thisMonth)) return undefined
  const span = { ...windowOf(daysOf({ from: month, to: month }), kept), currency, late: await idAfterClosing(tx) }
  const sums = await sumsOfSpan(tx, span)
  const kinds = sums.filter(({ kind }) => isMovement(kind))
  const before = last ? { account: last.account_after_cents, commission: last.commission_after_cents } : await balancesBefore(tx, span)
  const [moved, booked] = [added(kinds), added(sums)]
  const dutyBp = await dutyOf(tx)
  const duty = roundedRatio([moved.commission, dutyBp], [10_000])
  return calculationIn(tx, {
    month: {
      before,
      moved,
      duty,
      netting: 0 - added(sums.filter(({ kind }) => kind === 'netting')).commission,
      after: { account: before.account + booked.account, commission: before.commission + booked.commission - duty },
      netted: (await termsOf(tx))?.netted ?? true,
    },
    kinds,
    currency,
    dutyBp,
  })
}

const isMovement = (kind: string): boolean => movementKinds.some(each => each === kind)

const added = (sums: readonly KindSums[]) => ({
  account: sums.reduce((sum, { account }) => sum + account, 0),
  commission: sums.reduce((sum, { earned }) => sum + earned, 0),
})

type Facts = { month: Month; kinds: readonly KindSums[]; currency: string; dutyBp: number }

async function calculationIn(tx: UnitTx, { month, kinds, currency, dutyBp }: Facts): Promise<Calculation> {
  const { insurer } = (await commonContent(tx)).content
  return {
    equations: equationsOf(month, kinds).map(({ terms, due }) => ({
      terms: terms.map(({ name, cents, parts }) => ({
        name,
        amount: fromCents(cents),
        parts: parts.map(part => ({ name: part.name, amount: fromCents(part.cents) })),
      })),
      due: fromCents(due),
    })),
    dutyPercent: dutyBp / 100,
    insurerName: insurer.brandName,
    iban: insurer.accounts?.[currency] ?? null,
  }
}
