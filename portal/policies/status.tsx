import { today } from '#common/kit/dates.ts'
import { policyCan, type PolicyStatus } from '#common/policies/states.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { serviceNow } from '#portal/kit/time.ts'
import { Badge, State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Row } from './list-params.ts'

type Props = { policy: { status: PolicyStatus; startDate: string; priceValidUntil?: string | null } }

/** Shows a status. A saved quote whose trip has begun, or whose price is over, cannot be sold as it is. An unpaid one stays unpaid. */
export function StatusBadge({ policy }: Props) {
  const { words } = useWords()
  const why = lapsed(policy)
  const { tone, label } = why ? over[why] : badges[policy.status]
  return <State tone={tone}>{words(label)}</State>
}

const over = {
  begun: { tone: 'over', label: 'policies.status_begun' },
  expired: { tone: 'over', label: 'policies.status_expired' },
} as const

const badges = {
  purchased: { tone: 'success', label: 'policies.status_purchased' },
  budgeted: { tone: 'info', label: 'policies.status_budgeted' },
  pending: { tone: 'warning', label: 'policies.status_pending' },
  cancelled: { tone: 'over', label: 'policies.status_cancelled' },
} as const satisfies Record<PolicyStatus, unknown>

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
