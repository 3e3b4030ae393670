import { today } from '#common/kit/dates.ts'
import { policyCan } from '#common/policies/states.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { serviceNow } from '#portal/kit/time.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Row } from './list-params.ts'

/** The time until which a saved quote keeps its price: on its last day a tag with the time, in a column only the day, in a line as a phrase. */
export function PriceUntil({ at, look = 'value' }: { at: string; look?: 'value' | 'column' | 'phrase' }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { timeZone } = useUnit().configuration
  if (isOver(at)) return <span className="text-quiet">{words('day.price_ended')}</span>
  // A price that ends at midnight ends with the day before.
  const last = new Date(Date.parse(at) - (shownEnd(at) === moment(at) ? 0 : 1))
  const day = today(last, timeZone)
  if (day === todayInUnit())
    return <Badge tone="warning">{words('day.price_today', { time: moment(last.toISOString()).slice(-'HH:MM'.length) })}</Badge>
  if (look === 'column') return day
  return look === 'phrase' ? words('day.price_until', { day: shownEnd(at) }) : shownEnd(at)
}

type Quote = Pick<Row, 'status'> & Partial<Pick<Row, 'startDate' | 'priceValidUntil'>>

/** Returns why a saved quote can no longer be bought at its price: its trip has begun, or its price is over. Undefined if it can. */
export function lapsed({ status, startDate, priceValidUntil }: Quote): 'begun' | 'expired' | undefined {
  if (status !== 'budgeted') return undefined
  if (startDate && startDate < todayInUnit()) return 'begun'
  return priceValidUntil && isOver(priceValidUntil) ? 'expired' : undefined
}

/** True if its documents can be sent, which those of a quote with an ended price cannot. */
export const isSendable = (policy: Quote): boolean => policyCan('send', policy) && !lapsed(policy)

const isOver = (at: string): boolean => Date.parse(at) < serviceNow()
