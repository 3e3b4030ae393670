import type * as calls from '#common/administration/account-calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { auditListed } from '#server/session/public.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { looked } from './accounts.ts'
import { type BookingRow, bookingRows } from './queries.ts'

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
