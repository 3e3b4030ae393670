import { type MovementKind, movementKinds } from './book.ts'
import { type Balances, dueOf, paidIn } from './statement.ts'

/**
 * The facts of a closed month, in cents. `moved`: by its movements. `duty`: withheld from their commission. `netting`: commission of earlier months that
 * was set against the account in this one.
 */
export type Month = { before: Balances; moved: Balances; duty: number; netting: number; after: Balances; netted: boolean }

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

/** The terms of an equation. Those that are 0 are left out, except sold, card and commission. */
export const termNames = ['before', 'sold', 'card', 'commission', 'stamp_duty', 'netted_before', 'paid'] as const
type TermName = (typeof termNames)[number]

/** The parts of what was sold: sales, their changes, and their ends with reinstatements. `returned`: what went back to cards. */
export const partNames = ['sales', 'changes', 'ends', 'returned'] as const
type Part = { name: (typeof partNames)[number]; cents: number }

/** `due`: positive if the agency pays the insurer. The terms add up to it, or to the commission that the insurer pays. */
export type Equation = { terms: { name: TermName; cents: number; parts: Part[] }[]; due: number }

/** The sums of a kind's movements, in cents: their prices, and the part on the agency's account. */
type KindSums = { kind: string; gross: number; account: number }

/**
 * Returns a month as sold − paid by card − commission = due. Without netting, the account and the commission have an equation each. `kinds` has the
 * month's movements, which add up to `month.moved`.
 */
export function equationsOf(month: Month, kinds: readonly KindSums[]): Equation[] {
  const { moved, after, netted } = month
  const steps = new Map(calculationOf(month).map(step => [step.name, step]))
  const sumOf = (of: readonly string[], amount: (sums: KindSums) => number) =>
    kinds.reduce((sum, each) => sum + (of.includes(each.kind) ? amount(each) : 0), 0)
  const card = ({ gross, account }: KindSums): number => gross - account
  const sold = term(
    'sold',
    sumOf(movementKinds, ({ gross }) => gross),
    [
      { name: 'sales', cents: sumOf(sales, ({ gross }) => gross) },
      { name: 'changes', cents: sumOf(changes, ({ gross }) => gross) },
      { name: 'ends', cents: sumOf(ends, ({ gross }) => gross) },
    ],
  )
  const byCard = term('card', -sumOf(movementKinds, card), [
    { name: 'sales', cents: sumOf(sales, card) },
    { name: 'returned', cents: sumOf([...changes, ...ends], card) },
  ])
  const optional = (name: 'before' | 'stamp_duty' | 'netted_before' | 'paid', amount: (step: Balances) => number) => {
    const step = steps.get(name)
    return step && amount(step) !== 0 ? [term(name, amount(step))] : []
  }
  if (netted) {
    const both = ({ account, commission }: Balances): number => account - commission
    const terms = [
      ...optional('before', both),
      sold,
      byCard,
      term('commission', -moved.commission),
      ...optional('stamp_duty', both),
      ...optional('paid', both),
    ]
    return [{ terms, due: dueOf(after, true).account }]
  }
  const account = ({ account }: Balances): number => account
  const commission = ({ commission }: Balances): number => commission
  return [
    {
      terms: [...optional('before', account), sold, byCard, ...optional('netted_before', account), ...optional('paid', account)],
      due: after.account,
    },
    {
      terms: [
        ...optional('before', commission),
        term('commission', moved.commission),
        ...optional('stamp_duty', commission),
        ...optional('netted_before', commission),
        ...optional('paid', commission),
      ],
      due: 0 - after.commission,
    },
  ]
}

const sales: readonly MovementKind[] = ['sale']
const changes: readonly MovementKind[] = ['change', 'undo']
const ends: readonly MovementKind[] = ['cancellation', 'withdrawal', 'reinstatement']

/** A sum of one part alone needs no parts. */
function term(name: TermName, cents: number, parts: Part[] = []) {
  const moved = parts.filter(part => part.cents !== 0)
  return { name, cents: cents + 0, parts: moved.length > 1 ? moved : [] }
}

/** Returns the amount of a payment without its sign, as words name its direction. Only a reversal is negative. */
export function paidAmount({ account, commission, reverses }: { account: number; commission: number; reverses: boolean }): number {
  const amount = Math.abs(account === 0 ? commission : account)
  return reverses ? -amount : amount
}
