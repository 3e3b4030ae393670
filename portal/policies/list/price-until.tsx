import { today } from '#common/kit/dates.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import { shownEnd } from '#portal/kit/page/end.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { isOver } from '../quote-state.ts'

/** The time until which a saved quote keeps its price: on its last day a tag with the time, in a list only the day. */
export function PriceUntil({ at, inList = false }: { at: string; inList?: boolean }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { timeZone } = useUnit().configuration
  if (isOver(at)) return <span className="text-quiet">{words('policies.price_ended')}</span>
  // A price that ends at midnight ends with the day before.
  const last = new Date(Date.parse(at) - (shownEnd(at) === moment(at) ? 0 : 1))
  const day = today(last, timeZone)
  if (day === todayInUnit())
    return <Badge tone="warning">{words('policies.price_today', { time: moment(last.toISOString()).slice(-'HH:MM'.length) })}</Badge>
  return inList ? day : shownEnd(at)
}
