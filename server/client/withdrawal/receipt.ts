import { previewEnding } from '#common/changes/ending/cancel.ts'
import { displayDate } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { formatMoney, fromCents } from '#common/kit/money.ts'
import type { ClientPolicy, Receipt } from '#common/client/calls.ts'
import type { Route } from '#common/changes/money.ts'
import { accountGateway } from '#common/changes/state.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { Loaded } from '#server/changes/public.ts'
import type { PolicyRow } from '#server/policies/public.ts'
import type { WithdrawalRow } from '../queries.ts'
import type { Way } from '../tables.ts'

/** Returns the way of a refund. A credit on the agency's account reaches the client through the agency. */
export function wayOf(routes: readonly Route[]): Way {
  const [card, agency] = [
    routes.some(({ gateway }) => gateway !== accountGateway),
    routes.some(({ gateway }) => gateway === accountGateway),
  ]
  return card && agency ? 'both' : card ? 'card' : agency ? 'agency' : 'none'
}

/** `unit`: with the time zone that the policy was sold in. */
type Facts = { withdrawal: WithdrawalRow; policy: PolicyRow; unit: Pick<UnitSettings, 'brandName' | 'timeZone'>; words: Words }

/** Returns the receipt of a statement. It is made of the statement alone, so a repeated request gets the same. */
export function receiptOf(facts: Facts): Receipt {
  const { withdrawal, policy, words } = facts
  return {
    withdrawalUuid: withdrawal.id,
    receivedAt: withdrawal.at.toISOString(),
    receipt: { name: `${words('mail.receipt.title')} ${policy.number}.txt`, text: receiptText(facts) },
    refund: withdrawal.claimed
      ? null
      : {
          amount: fromCents(withdrawal.refund_cents),
          currency: withdrawal.currency,
          way: withdrawal.way,
          by: withdrawal.refund_by,
        },
    name: withdrawal.name,
    confirmTo: withdrawal.confirm_to,
  }
}

/** Returns the content of the receipt on a durable medium: the statement with its day and time, and what follows. */
export function receiptText({ withdrawal, policy, unit, words }: Facts): string {
  const { locale } = policy
  return [
    words('mail.receipt.title'),
    words('mail.receipt.received', { when: momentIn(locale, withdrawal.at, unit.timeZone) }),
    words('mail.receipt.name', { name: withdrawal.name }),
    words('mail.receipt.contract', { product: policy.product_name, number: policy.number ?? '', agency: unit.brandName }),
    words('mail.receipt.statement'),
    words('mail.receipt.confirmed', { address: withdrawal.confirm_to }),
    nextOf(withdrawal, locale, words),
  ].join('\n')
}

/** Says what follows from a statement: the refund with its way and last day, or the insurer's decision. */
const nextOf = ({ claimed, refund_cents: cents, currency, way, refund_by: by }: WithdrawalRow, locale: Locale, words: Words): string =>
  claimed
    ? words('mail.receipt.claimed')
    : words('mail.receipt.refund', { amount: formatMoney(cents, locale, currency), way, by: displayDate(by) ?? '' })

/** Returns a moment with its seconds and zone, as a receipt needs it. */
const momentIn = (locale: Locale, at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(intlTag(locale), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at)

/** Returns what withdrawing gives back now, while a right runs. With a claim the insurer decides. */
export function withdrawIn({ policy, now }: Loaded, confirmTo: string): ClientPolicy['can']['withdraw'] {
  const { possible, right, refund, basis, routes, refusals } = previewEnding(policy, { as: 'withdrawal', version: policy.version }, now)
  if (!right || !(possible || refusals.some(({ code }) => code === 'withdraw.claimed'))) return null
  const until = right.until < policy.trip.endDate ? right.until : policy.trip.endDate
  return { until, refund: possible ? fromCents(refund) : null, basis, right: right.id, way: wayOf(routes), confirmTo }
}
