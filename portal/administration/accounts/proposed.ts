import { fromCents, toCents } from '#common/kit/money.ts'
import type { Account } from './account.tsx'

type Facts = Pick<Account, 'account' | 'lastStatement' | 'openStatements'>

/** `parts`: the statements that the proposed payment settles, each with its amount. */
export type Proposed = { way: 'received' | 'paid'; amount: number | null; parts: { number: string; amount: number }[] }

/**
 * Proposes to pay all that is outstanding, but no more than the agency owes now. Money settles the oldest debt first. Without netting, an agency
 * without debt is paid its commission.
 */
export function proposedPayment({ account, lastStatement, openStatements }: Facts): Proposed {
  let left = Math.max(0, cents(account))
  const parts: Proposed['parts'] = []
  for (const { number, open } of openStatements) {
    const part = Math.min(cents(open), left)
    if (part > 0) parts.push({ number, amount: fromCents(part) })
    left -= part
  }
  if (parts.length > 0) return { way: 'received', amount: fromCents(parts.reduce((sum, { amount }) => sum + cents(amount), 0)), parts }
  const open = lastStatement?.open ?? { account: 0, commission: 0 }
  const payout = open.account < 0 ? open.account : open.commission
  return lastStatement && payout < 0
    ? { way: 'paid', amount: -payout, parts: [{ number: lastStatement.number, amount: -payout }] }
    : { way: 'received', amount: null, parts: [] }
}

const cents = (amount: number): number => toCents(amount) ?? 0
