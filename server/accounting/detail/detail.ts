import type * as calls from '#common/accounting/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { explainedMovementOf, takersFor } from '../pairs/explained.ts'
import type { EarnedRow } from '../queries.ts'
import { statementOf } from '../statements/list.ts'
import { closedCalculation, openAmountsOf } from '../statements/calculation.ts'
import { type Standing, standingOf, statementOfMovement } from '../statements/standing.ts'
import { explainedLinesOf, movementById, nettingIn, type PaymentRow, paymentsOf, spanOf } from './queries.ts'

/** Opens a statement: its sums, what was paid since, and a page of its lines. */
export const statement =
  (world: World): Handler<typeof calls.accountingStatement> =>
  async input => {
    const { ask, caller } = input
    const { page, perPage } = ask
    return world.database.inScope(caller.unit.scope, async tx => {
      const { found, all } = await statementsNow(world, tx, caller, ask.number)
      const { row } = found
      const span = await spanOf(tx, row)
      const lines = await explainedLinesOf(tx, span, { offset: (page - 1) * perPage, limit: perPage })
      const { takers, audited } = await takersFor(tx, caller.unit.permissions, lines)
      const payments = await paymentsOf(tx, span, { since: true })
      await auditListed(
        world,
        tx,
        input,
        { action: 'accounting.listed', always: true },
        { statement: row.number, page, shown: lines.length, ...audited },
      )
      const netting = await nettingIn(tx, span)
      return {
        total: row.deeds,
        totalPages: Math.ceil(row.deeds / perPage),
        page,
        perPage,
        statement: statementOf(found, all),
        calculation: await closedCalculation(tx, row, netting),
        open: openAmountsOf(found),
        netting: fromCents(netting),
        payments: payments.map(paymentOf),
        lines: lines.map(row => ({ ...explainedMovementOf(row, all, takers), reference: row.reference })),
      }
    })
  }

/** Finds a statement of the unit by its number. Users who see only own sales find none, as statements cover the whole agency. */
export const findStatement = async (world: World, tx: UnitTx, caller: CallerInUnit, number: string): Promise<Standing> =>
  (await statementsNow(world, tx, caller, number)).found

/** Returns a statement with all others of the unit, the newest first. */
async function statementsNow(
  world: World,
  tx: UnitTx,
  caller: CallerInUnit,
  number: string,
): Promise<{ found: Standing; all: Standing[] }> {
  if (ownOnly(caller) !== undefined) throw new Refusal('session.forbidden')
  const { timeZone } = await unitSettings(tx)
  const all = await standingOf(tx, world.clock.now(), timeZone)
  const found = all.find(({ row }) => row.number === number)
  if (!found) throw new Refusal('request.not_found')
  return { found, all }
}

const paymentOf = ({ id, at, account, commission, ...facts }: PaymentRow) => ({
  uuid: id,
  at: at.toISOString(),
  account: fromCents(account),
  commission: fromCents(commission),
  ...facts,
})

/** Finds a movement with its statement's number. Users who see only own sales find only their own, without the number. */
export async function findEntry(
  world: World,
  tx: UnitTx,
  caller: CallerInUnit,
  id: string,
): Promise<(EarnedRow & { statement: string | undefined }) | undefined> {
  const own = ownOnly(caller)
  const entry = await movementById(tx, id)
  if (!entry || (own !== undefined && entry.seller_id !== own)) return undefined
  if (own !== undefined) return { ...entry, statement: undefined }
  const { timeZone } = await unitSettings(tx)
  const standing = await standingOf(tx, world.clock.now(), timeZone)
  return { ...entry, statement: statementOfMovement(standing, entry)?.row.number }
}
