import { daysBetween, readDate } from '#common/kit/dates.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'

type Props = { startDate: string; endDate: string; many: ManyTrips | undefined; hasCancellation: boolean }

/** The minimum width of a part, in hundredths. A week's trip is thus visible beside months of waiting. */
const least = 18

/** Shows when each cover applies: cancellation from today to the departure, the trip from then to the return, or all trips of a term. */
export function CoverTimeline({ startDate, endDate, many, hasCancellation }: Props) {
  const { words } = useWords()
  const { date } = useFormat()
  const [start, end] = [readDate(startDate), readDate(endDate)]
  if (!start || !end) return null
  const today = todayInUnit()
  const [wait, trip] = [Math.max(0, daysBetween(today, start)), daysBetween(start, end) + 1]
  const share = Math.min(100 - least, Math.max(wait > 0 ? least : 0, (100 * wait) / (wait + trip)))
  const trips = many ? 'several' : 'one'
  const named = { from: date(start), to: date(end), trips }
  return (
    <figure className="grid gap-1 border-t border-hair pt-(--gap) text-sm">
      <figcaption className="sr-only">
        {hasCancellation && wait > 0 ? words('funnel.cover.both', named) : words('funnel.cover.trip_only', named)}
      </figcaption>
      <div aria-hidden="true" className="grid gap-1" style={{ gridTemplateColumns: wait > 0 ? `${share}fr ${100 - share}fr` : '1fr' }}>
        {wait > 0 && <span className={`h-2.5 rounded-full ${hasCancellation ? 'bg-faint' : 'border border-dashed border-field-line'}`} />}
        <span className="h-2.5 rounded-full bg-ink" />
        {wait > 0 && (
          <span className="min-w-0 text-quiet">
            {hasCancellation ? words('funnel.cover.cancellation') : words('funnel.cover.none', { date: date(start) })}
            {hasCancellation && <span className="block text-faint">{words('funnel.cover.today')}</span>}
          </span>
        )}
        {/* The dates stay in one line under the end of a short trip's bar. */}
        <span className={wait > 0 ? 'justify-self-end text-right whitespace-nowrap' : 'min-w-0'}>
          {words('funnel.cover.trip', { trips })}
          <span className="block text-faint">
            {date(start)} – {date(end)}
          </span>
        </span>
      </div>
    </figure>
  )
}
