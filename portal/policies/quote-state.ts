import { policyCan } from '#common/policies/states.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { serviceNow } from '#portal/kit/time.ts'
import type { Row } from './list-params.ts'

type Quote = Pick<Row, 'status'> & Partial<Pick<Row, 'startDate' | 'priceValidUntil'>>

/** Returns why a saved quote can no longer be bought at its price: its trip has begun, or its price is over. Undefined if it can. */
export function lapsed({ status, startDate, priceValidUntil }: Quote): 'begun' | 'expired' | undefined {
  if (status !== 'budgeted') return undefined
  if (startDate && startDate < todayInUnit()) return 'begun'
  return priceValidUntil && isOver(priceValidUntil) ? 'expired' : undefined
}

/** True if its documents can be sent, which those of a quote with an ended price cannot. */
export const isSendable = (policy: Quote): boolean => policyCan('send', policy) && !lapsed(policy)

export const isOver = (at: string): boolean => Date.parse(at) < serviceNow()
