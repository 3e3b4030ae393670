import { today } from '#common/kit/dates.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The moment until which a saved quote keeps its price, with a tag on the last day. `brief` shows the tag alone. */
export function PriceUntil({ at, brief = false }: { at: string; brief?: boolean }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { timeZone } = useUnit().configuration
  if (isOver(at)) return <span className="text-quiet">{words('policies.price_ended')}</span>
  const endsToday = today(new Date(at), timeZone) === todayInUnit()
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {!(brief && endsToday) && moment(at)}
      {endsToday && <Badge tone="warning">{words('policies.task_lapsing', { days: 0 })}</Badge>}
    </span>
  )
}

const isOver = (at: string): boolean => Date.parse(at) < Date.now()
