import { longestMessage } from '#common/policies/quote-link.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { findPolicy, type PolicyRow } from '../queries.ts'
import { hasLapsed } from '../sale/pricing.ts'
import { isVisible } from '../visibility.ts'

type Ask = { alternatives?: string[] | null | undefined; message?: string | null | undefined }

export type Shared = { quotes: PolicyRow[]; message: string }

/** Refuses a quote that cannot be bought now. */
export async function demandOffered(tx: UnitTx, policy: PolicyRow, now: Date): Promise<void> {
  if (policy.status !== 'budgeted') throw new Refusal('policy.not_sendable')
  if (hasLapsed(policy, now, (await unitSettings(tx)).timeZone)) throw new Refusal('policy.price_expired')
}

/** Returns the saved quotes that a link opens, this one first, or refuses the others: each must still have its price, and the same policyholder. */
export async function sharedIn(tx: UnitTx, caller: CallerInUnit, policy: PolicyRow, ask: Ask, now: Date): Promise<Shared> {
  const { timeZone } = await unitSettings(tx)
  const message = ask.message?.trim() ?? ''
  const problems: Problem[] = fieldProblems('message', message, [['maxLength', { limit: longestMessage }]], { locale: 'en-EN', today: '' })
  if (holdsCardNumber(message)) problems.push({ path: 'message', rule: 'cardNumber', key: 'policies.card_number' })
  const quotes = [policy]
  for (const [index, id] of (ask.alternatives ?? []).entries()) {
    const other = await findPolicy(tx, id)
    const isOffered = isVisible(caller, other) && other.status === 'budgeted' && !hasLapsed(other, now, timeZone)
    const isNew = quotes.every(each => each.id !== id.toLowerCase())
    if (other && isOffered && isNew && other.taker_sort === policy.taker_sort) quotes.push(other)
    else problems.push({ path: `alternatives[${index}]`, rule: 'alternative', key: 'policies.alternative' })
  }
  if (problems.length > 0) throw refuseFields(problems)
  return { quotes, message }
}
