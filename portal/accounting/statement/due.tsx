import { useFormat } from '#portal/kit/format.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Statement } from '../use-accounting.ts'

const tones = { open: 'neutral', overdue: 'danger', paid: 'success', carried: 'over' } as const

/** The unpaid part of a carried statement is due with the next one, and only that can be overdue. */
export function StatementState({ statement: { state: ofItself, carriedTo, overdue } }: { statement: Statement }) {
  const { words } = useWords()
  if (carriedTo !== null) return <State tone={tones.carried}>{words('accounting.carried_to', { number: carriedTo })}</State>
  const state = overdue ? 'overdue' : ofItself
  return <State tone={tones[state]}>{words('accounting.statement_state', { state })}</State>
}

/** Returns a function that says who pays whom, and how much. */
export function useDue(): (due: Statement['due'], currency: string) => string {
  const { words } = useWords()
  const { money } = useFormat()
  return (due, currency) => {
    const amounts = [due.account, due.commission].filter(amount => amount !== 0)
    if (amounts.length === 0) return money(0, currency)
    return amounts
      .map(amount =>
        words(amount > 0 ? 'accounting.agency_pays' : 'accounting.insurer_pays', { amount: money(Math.abs(amount), currency) }),
      )
      .join(' · ')
  }
}
