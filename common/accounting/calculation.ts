import { type Balances, dueOf, paidIn } from './statement.ts'

/**
 * The facts of a closed month, in cents. `moved`: by its movements. `duty`: withheld from their commission. `netting`: commission of earlier months that
 * was set against the account in this one.
 */
type Month = { before: Balances; moved: Balances; duty: number; netting: number; after: Balances; netted: boolean }

/** A step of the calculation, which leads from the amount carried over to the amount due. In order. */
export type Step = { name: 'before' | 'deeds' | 'stamp_duty' | 'netted_before' | 'paid' | 'balance' | 'netted' | 'due' } & Balances

/**
 * Returns the steps that lead to the amount due. All amounts before the balance add up to it; with the commission set against the account they add up
 * to the last.
 */
export function calculationOf({ before, moved, duty, netting, after, netted }: Month): Step[] {
  const paid = {
    account: paidIn({ before: before.account, moved: moved.account, netting, after: after.account }),
    commission: paidIn({ before: before.commission, moved: moved.commission - duty, netting, after: after.commission }),
  }
  const isSet = netted && after.commission !== 0
  const due = netted ? { account: dueOf(after, true).account, commission: 0 } : after
  const steps: Step[] = [
    { name: 'before', ...before },
    { name: 'deeds', ...moved },
    { name: 'stamp_duty', account: 0, commission: 0 - duty },
    { name: 'netted_before', account: 0 - netting, commission: 0 - netting },
    { name: 'paid', ...paid },
    ...(isSet
      ? [
          { name: 'balance' as const, ...after },
          { name: 'netted' as const, account: -after.commission, commission: -after.commission },
        ]
      : []),
    { name: 'due', ...due },
  ]
  const isOptional = ({ name }: Step) => name === 'stamp_duty' || name === 'netted_before' || name === 'paid'
  return steps.filter(step => !isOptional(step) || step.account !== 0 || step.commission !== 0)
}

/** The message ids of the steps. That of the movements counts them, and that of the duty names its rate. */
export const stepNames = {
  before: 'accounting.before',
  deeds: 'accounting.count',
  stamp_duty: 'accounting.stamp_duty',
  netted_before: 'accounting.netted_before',
  paid: 'accounting.paid_in_month',
  balance: 'accounting.balance',
  netted: 'accounting.netted_at_closing',
  due: 'accounting.due',
} as const

/** Returns the amount of a payment without its sign, as words name its direction. Only a reversal is negative. */
export function paidAmount({ account, commission, reverses }: { account: number; commission: number; reverses: boolean }): number {
  const amount = Math.abs(account === 0 ? commission : account)
  return reverses ? -amount : amount
}
