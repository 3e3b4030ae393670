import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Row } from '../list-params.ts'
import type { PolicyDetail } from '../policy-query.ts'

type Props = { policy: Row; detail: Pick<PolicyDetail, 'cancellationFrom' | 'cancellationOfEach'> | undefined }

/**
 * Shows the periods of cover, and today's position between sale, departure and return. Departure and return are always at the same positions, so that
 * nothing moves from one policy to the next; today's is in proportion between them.
 */
export function Cover({ policy: { startDate, endDate, createdAt }, detail }: Props) {
  const cancellationFrom = detail?.cancellationFrom
  const { words } = useWords()
  const { date, moment } = useFormat()
  const { timeZone } = useUnit().configuration
  const now = todayInUnit()
  const days = daysBetween(startDate, endDate) + 1
  const trip = { from: today(new Date(createdAt), timeZone), startDate, endDate }
  const when =
    now < startDate
      ? words('policies.leaves_tag', { days: daysBetween(now, startDate) })
      : now > endDate
        ? words('policies.cover_over', { days: daysBetween(endDate, now) })
        : words('policies.cover_day', { day: daysBetween(startDate, now) + 1, days })
  const period = { from: date(startDate), to: date(endDate) }
  return (
    <figure className="grid gap-2">
      <figcaption className="sr-only">{words('policies.cover')}</figcaption>
      <div aria-hidden="true" className="relative h-1 rounded-full bg-sunken">
        {cancellationFrom && (
          <span
            className="absolute top-0 h-1 rounded-full bg-faint"
            style={{ left: `${placeOf(today(new Date(cancellationFrom), timeZone), trip)}%`, right: `${101 - departs}%` }}
          />
        )}
        <span className="absolute top-0 h-1 rounded-full bg-ink" style={{ left: `${departs}%`, right: `${100 - returns}%` }} />
        <span className="absolute -top-1 size-3 rounded-full bg-accent-ink" style={{ left: `calc(${placeOf(now, trip)}% - 6px)` }} />
      </div>
      <ul className="text-sm">
        {cancellationFrom && (
          <li className="flex items-center gap-2">
            <span aria-hidden="true" className="size-2 shrink-0 rounded-sm bg-faint" />
            {words('policies.cover_cancellation', { from: moment(cancellationFrom) })}
          </li>
        )}
        <li className="flex flex-wrap items-center gap-x-2">
          {cancellationFrom && <span aria-hidden="true" className="size-2 shrink-0 rounded-sm bg-ink" />}
          {words(cancellationFrom ? 'policies.cover_trip' : 'policies.cover_dates', period)}
          <span className="ml-auto font-semibold">{when}</span>
        </li>
        {detail?.cancellationOfEach && <li>{words('policies.cover_cancellation', { from: 'each' })}</li>}
      </ul>
    </figure>
  )
}

/** The positions of departure and return, in per cent of the width. */
const [departs, returns] = [20, 80]
/** The days after which a trip counts as long over. */
const longOver = 60

function placeOf(now: string, { from, startDate, endDate }: { from: string; startDate: string; endDate: string }): number {
  const between = (first: string, last: string) => Math.min(1, Math.max(0, daysBetween(first, now) / Math.max(1, daysBetween(first, last))))
  if (now < startDate) return 1 + (departs - 2) * between(from < startDate ? from : addDays(startDate, -1), startDate)
  if (now <= endDate) return departs + (returns - departs) * between(startDate, endDate)
  return returns + 1 + (98 - returns) * between(endDate, addDays(endDate, longOver))
}
