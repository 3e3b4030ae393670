import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Row } from '../list-params.ts'

/**
 * Shows today's position between sale, departure and return. Departure and return are always at the same positions, so that nothing moves from one
 * policy to the next; today's is in proportion between them.
 */
export function Cover({ policy: { startDate, endDate, createdAt } }: { policy: Row }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { timeZone } = useUnit().configuration
  const now = todayInUnit()
  const days = daysBetween(startDate, endDate) + 1
  const place = placeOf(now, { from: today(new Date(createdAt), timeZone), startDate, endDate })
  const when =
    now < startDate
      ? words('policies.leaves_tag', { days: daysBetween(now, startDate) })
      : now > endDate
        ? words('policies.cover_over', { days: daysBetween(endDate, now) })
        : words('policies.cover_day', { day: daysBetween(startDate, now) + 1, days })
  return (
    <figure className="grid gap-1.5">
      <figcaption className="sr-only">{words('policies.cover')}</figcaption>
      <div aria-hidden="true" className="relative h-1 rounded-full bg-sunken">
        <span className="absolute top-0 h-1 rounded-full bg-ink" style={{ left: `${departs}%`, right: `${100 - returns}%` }} />
        <span className="absolute -top-1 size-3 rounded-full bg-accent-ink" style={{ left: `calc(${place}% - 6px)` }} />
      </div>
      <ol className="flex justify-between gap-2 text-sm text-quiet" style={{ marginLeft: `${departs}%`, marginRight: `${100 - returns}%` }}>
        <li>
          <span className="sr-only">{words('policies.column_start')} </span>
          {date(startDate)}
        </li>
        <li>
          <span className="sr-only">{words('policies.column_end')} </span>
          {date(endDate)}
        </li>
      </ol>
      <p className="text-center text-sm font-semibold">{when}</p>
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
