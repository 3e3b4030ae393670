import { dueOf, openNow, openPartsOf } from '#common/accounting/statement.ts'
import { amountProblems, liftedProblems, paidOnProblems } from '#common/accounting/by-hand.ts'
import * as calls from '#common/administration/calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { bookPayment, bookWriteOff, closeByHand, openMonths, reverseBooking, setTerms } from '#server/accounting/public.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnitsTx, UnitTx } from '#server/kit/database.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { audit, auditListed, unitForAdministration } from '#server/session/public.ts'
import { pagesOf, type Paging } from '#server/kit/paging.ts'
import { type AccountRow, accountRows, type BookingRow, bookingRows, type OpenStatementRow, statementRows } from './queries.ts'

type Account = ResponseSentOf<typeof calls.changeAccountTerms>
type Change =
  | typeof calls.changeAccountTerms
  | typeof calls.bookAccountPayment
  | typeof calls.writeOffAccount
  | typeof calls.reverseAccountBooking

export const listAccounts =
  (world: World): Handler<typeof calls.listAccounts> =>
  async input => {
    const { ask } = input
    const { allUnits, userId } = input.caller
    const { total, accounts } = await accountsOf(world, allUnits, ask.businessUnitUuid, ask, tx =>
      auditListed(world, tx, input, { ...looked, userId, object: ask.businessUnitUuid }, { page: ask.page }),
    )
    return { ...pagesOf(total, ask), accounts }
  }

/** The audit entry of a view of agencies' accounts. */
const looked = { action: 'administration.accounts_listed', always: true } as const

/** Sets an agency's terms: its limit, until when that is lifted, and whether its commission is netted. */
export const changeTerms =
  (world: World): Handler<typeof calls.changeAccountTerms> =>
  input => {
    const { limit, liftedUntil, netted, namesInBordereau, reason } = input.ask
    const cents = limit === null ? null : centsOf('limit', limit, 0)
    return change(
      world,
      input,
      'administration.account_terms',
      { limit, liftedUntil: liftedUntil ?? null, netted, reason, ...(namesInBordereau === undefined ? {} : { namesInBordereau }) },
      (tx, { currency, timeZone }) => {
        const day = liftedUntil ?? undefined
        refuseIfAny(liftedProblems(day, today(world.clock.now(), timeZone)))
        const until = day === undefined ? null : new Date(startOfDay(addDays(day, 1), timeZone))
        return setTerms(tx, currency, { limit: cents, liftedUntil: until, netted, namesInBordereau })
      },
    )
  }

/** Books a payment by an agency, or to it. The money itself moves at the bank. */
export const bookAccountPayment =
  (world: World): Handler<typeof calls.bookAccountPayment> =>
  input => {
    const { requestUuid: requestId, way, amount, on, reference, again = false, beyond = false } = input.ask
    const cents = centsOf('amount', amount, 1)
    const by = input.caller.userId
    return change(world, input, 'administration.account_payment', { way, on, reference }, async (tx, { currency, timeZone }) => {
      refuseIfAny(paidOnProblems(on, today(world.clock.now(), timeZone)))
      const payment = { requestId, by, way, cents, currency, on, reference, meant: { again, beyond } }
      return (await bookPayment(world, tx, payment)) && { amount, currency }
    })
  }

export const writeOff =
  (world: World): Handler<typeof calls.writeOffAccount> =>
  input => {
    const { requestUuid: requestId, amount, reason } = input.ask
    const cents = centsOf('amount', amount, 1)
    const by = input.caller.userId
    return change(
      world,
      input,
      'administration.account_written_off',
      { reason },
      async (tx, { currency }) => (await bookWriteOff(world, tx, { requestId, by, cents, currency, reason })) && { amount, currency },
    )
  }

/** Reverses a booking, such as one for the wrong agency. */
export const reverse =
  (world: World): Handler<typeof calls.reverseAccountBooking> =>
  input => {
    const { requestUuid: requestId, bookingUuid: bookingId, reason } = input.ask
    const by = input.caller.userId
    return change(world, input, 'administration.account_reversed', { reason }, async tx => {
      const first = await reverseBooking(world, tx, { requestId, bookingId, by, reason })
      if (!first) return false
      const { way, cents, currency, on, reference } = first
      return { way, amount: fromCents(cents), currency, on, reference }
    })
  }

/** Converts an amount to cents. Refuses one below `least`. */
function centsOf(path: string, amount: number, least: number): number {
  refuseIfAny(amountProblems(path, amount, least))
  return toCents(amount) ?? 0
}

function refuseIfAny(problems: Problem[]): void {
  if (problems.length > 0) throw refuseFields(problems)
}

/** Changes an agency's account in its own transaction, with the audit, and returns how it stands. */
async function change(
  world: World,
  input: HandlerInput<Change>,
  action: string,
  details: Record<string, unknown>,
  /** Returns more details for the audit, or false if nothing changed. */
  work: (tx: UnitTx, settings: UnitSettings) => Promise<Record<string, unknown> | false | void>,
): Promise<Account> {
  const { allUnits, userId } = input.caller
  const { businessUnitUuid } = input.ask
  await accountNow(world, allUnits, businessUnitUuid)
  await world.database.inScope(unitForAdministration(allUnits, businessUnitUuid), async tx => {
    // A repeated request changes nothing, and is in the audit already.
    const more = await work(tx, await unitSettings(tx))
    if (more === false) return
    const { reason, ...rest } = details
    await audit(world, tx, input, {
      action,
      outcome: 'done',
      userId,
      businessUnitId: businessUnitUuid,
      object: businessUnitUuid,
      ...(typeof reason === 'string' ? { reason } : {}),
      details: { ...rest, ...more },
    })
  })
  return accountNow(world, allUnits, businessUnitUuid)
}

/** Closes a month that the job has not closed, as after an outage. */
export const closeMonth =
  (world: World): Handler<typeof calls.closeAccountMonth> =>
  async input => {
    const { allUnits, userId } = input.caller
    const { businessUnitUuid, month } = input.ask
    await accountNow(world, allUnits, businessUnitUuid)
    await closeByHand(world, unitForAdministration(allUnits, businessUnitUuid), month, tx =>
      audit(world, tx, input, {
        action: 'administration.month_closed',
        outcome: 'done',
        userId,
        businessUnitId: businessUnitUuid,
        object: businessUnitUuid,
        details: { month },
      }),
    )
    return accountNow(world, allUnits, businessUnitUuid)
  }

/** Returns how an agency's account stands. The id comes from a client, so it may belong to no agency. */
async function accountNow(world: World, allUnits: AllUnits, businessUnitUuid: string): Promise<Account> {
  const { accounts } = await accountsOf(world, allUnits, businessUnitUuid, { page: 1, perPage: 1 })
  if (!accounts[0]) throw new Refusal('request.not_found')
  return accounts[0]
}

const accountsOf = (
  world: World,
  allUnits: AllUnits,
  unitId: string | undefined,
  paging: Paging,
  also?: (tx: AllUnitsTx) => Promise<void>,
) =>
  world.database.acrossUnits(allUnits, async tx => {
    await also?.(tx)
    const { total, rows } = await accountRows(tx, unitId, paging)
    const open = new Map((await openMonths(tx, world.businessClock.now())).map(({ businessUnitId, month }) => [businessUnitId, month]))
    const owing = rows.filter(row => (statementOf(row)?.open.account ?? 0) > 0).map(({ unitId }) => unitId)
    const statements = owing.length > 0 ? await statementRows(tx, owing) : []
    return {
      total,
      accounts: rows.map(row => ({
        ...accountOf(row, open.get(row.unitId)),
        openStatements: openOnes(
          statements.filter(({ unitId }) => unitId === row.unitId),
          row.account,
        ),
      })),
    }
  })

const moneyOf = (cents: number | null): number | null => (cents === null ? null : fromCents(cents))

const accountOf = (row: AccountRow, openMonth: string | undefined): Omit<Account, 'openStatements'> => ({
  businessUnit: { uuid: row.unitId, brandName: row.brandName },
  currency: row.currency,
  netted: row.netted,
  account: fromCents(row.account),
  commission: fromCents(row.commission),
  limit: moneyOf(row.limit),
  headroom: moneyOf(row.headroom),
  liftedUntil: row.liftedUntil?.toISOString() ?? null,
  overdueSince: row.overdueSince,
  namesInBordereau: row.namesInBordereau,
  lastStatement: statementOf(row),
  openMonth: openMonth?.slice(0, 7) ?? null,
})

function statementOf({ number, dueOn, lastNetted, lastAccount, lastCommission, account, ...since }: AccountRow): Account['lastStatement'] {
  if (number === null || dueOn === null || lastAccount === null || lastCommission === null) return null
  const due = dueOf({ account: lastAccount, commission: lastCommission }, lastNetted ?? true)
  const open = openNow(due, { ...since, commission: since.paidCommission }, account)
  return { number, dueOn, due: fromCents(due.account), open: { account: fromCents(open.account), commission: fromCents(open.commission) } }
}

function openOnes(rows: readonly OpenStatementRow[], owed: number): Account['openStatements'] {
  const parts = openPartsOf(
    rows.map(({ number, dueOn, netted, account, commission, received, returned, paidCommission }) => ({
      number,
      dueOn,
      due: dueOf({ account, commission }, netted),
      settled: { received, returned, commission: paidCommission },
    })),
    owed,
  )
  return parts.map(({ statement: { number, dueOn }, open }) => ({ number, dueOn, open: fromCents(open) }))
}

type Booking = ResponseSentOf<typeof calls.listAccountBookings>['bookings'][number]

/** Lists the bookings that people made on an agency's account, newest first. */
export const listBookings =
  (world: World): Handler<typeof calls.listAccountBookings> =>
  input => {
    const { ask } = input
    const { allUnits, userId } = input.caller
    return world.database.acrossUnits(allUnits, async tx => {
      const { total, rows } = await bookingRows(tx, ask.businessUnitUuid, ask)
      await auditListed(world, tx, input, { ...looked, userId, object: ask.businessUnitUuid }, { page: ask.page, shown: rows.length })
      return { ...pagesOf(total, ask), bookings: rows.map(bookingOf) }
    })
  }

const bookingOf = ({ uuid, at, cents, reverses, ...facts }: BookingRow): Booking => ({
  uuid,
  at: at.toISOString(),
  amount: fromCents(reverses === null ? cents : -cents),
  reverses,
  ...facts,
})
