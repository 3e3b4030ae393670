import { useState } from 'react'
import { listAccountBookings, reverseAccountBooking } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Pagination } from '#portal/kit/list/pagination.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { key, reload } from '../use-records.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { Part } from '../record.tsx'
import type { Account } from './account.tsx'

type Booking = ResponseOf<typeof listAccountBookings>['bookings'][number]

const perPage = 10

/** The payments and write-offs on an agency's account, newest first. Each can be reversed once. */
export function Bookings({ account: { businessUnit } }: { account: Account }) {
  const { words } = useWords()
  const [page, setPage] = useState(1)
  const [reversing, setReversing] = useState<Booking>()
  const title = words('administration.bookings')
  const list = useList(
    listAccountBookings,
    { businessUnitUuid: businessUnit.uuid, page, perPage },
    { key, rows: ({ bookings }) => bookings },
  )
  return (
    <Part title={title}>
      {list.rows?.length === 0 && <p className="text-quiet">{words('administration.no_bookings')}</p>}
      {list.rows && list.rows.length > 0 && (
        <ul aria-busy={list.busy || undefined}>
          {list.rows.map(booking => (
            <BookingItem key={booking.uuid} booking={booking} onReverse={() => setReversing(booking)} />
          ))}
        </ul>
      )}
      {list.info && <Pagination page={page} pages={list.info.totalPages} onPage={setPage} label={title} />}
      {!list.rows && !list.error && (
        <Loading>
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
      {list.error && <LoadError title={words('administration.bookings_failed')} error={list.error} retry={list.retry} />}
      {reversing && <ReverseDialog booking={reversing} unit={businessUnit.uuid} onClose={() => setReversing(undefined)} />}
    </Part>
  )
}

function BookingItem({ booking, onReverse }: { booking: Booking; onReverse: () => void }) {
  const { words } = useWords()
  const { money, date, moment } = useFormat()
  const { way, amount, currency, on, reference, reason, by, at, fromFile, takenBack, reverses, reversedBy } = booking
  const what = words('administration.booking_way', { way })
  const source = fromFile ? 'file' : 'hand'
  return (
    <li className="grid gap-1 border-b border-line py-2">
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 wrap-anywhere">{reverses === null ? what : words('administration.booking_reversal', { what })}</p>
        <p className="font-medium whitespace-nowrap">{money(amount, currency)}</p>
      </div>
      <p className="text-sm text-quiet wrap-anywhere">{[date(on), reference, reason].filter(Boolean).join(' · ')}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="text-sm text-quiet">{words('administration.booking_by', { source, name: by ?? '—', moment: moment(at) })}</p>
        {takenBack && <State tone="warning">{words('bank.reversal')}</State>}
        {reversedBy !== null && <State tone="neutral">{words('administration.booking_reversed')}</State>}
        {reversedBy === null && reverses === null && (
          <Button
            look="quiet"
            aria-label={words('administration.booking_reverse_of', { date: date(on), amount: money(amount, currency) })}
            onClick={onReverse}
          >
            {words('administration.booking_reverse')}
          </Button>
        )}
      </div>
    </li>
  )
}

function ReverseDialog({ booking, unit, onClose }: { booking: Booking; unit: string; onClose: () => void }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const once = useIdempotencyKey()
  const { way, amount, currency, on, reference } = booking
  const what = words('administration.booking_way', { way })
  return (
    <ReasonDialog
      title={words('administration.booking_reverse_title')}
      description={
        <>
          <span className="block pb-2 text-ink">{[what, money(amount, currency), date(on), reference].filter(Boolean).join(' · ')}</span>
          {words('administration.booking_reverse_hint')}
        </>
      }
      button={words('administration.booking_reverse')}
      danger
      onSend={async reason => {
        const request = { businessUnitUuid: unit, bookingUuid: booking.uuid, reason }
        await once(request, requestUuid => ask(reverseAccountBooking, { ...request, requestUuid }))
        await reload()
        showToast({ severity: 'success', summary: words('administration.booking_is_reversed') })
      }}
      onClose={onClose}
    />
  )
}
