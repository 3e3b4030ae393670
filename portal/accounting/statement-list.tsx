import type { ReactNode } from 'react'
import { useFormat } from '#portal/kit/format.ts'
import type { Column } from '#portal/kit/list/column.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type EarningsParams, type Statement, useStatements } from './use-accounting.ts'

const tones = { open: 'neutral', overdue: 'danger', paid: 'success', carried: 'over' } as const

/** The closed months, and what is due for each. */
export function StatementList({ params }: { params: EarningsParams }) {
  const { words } = useWords()
  const { date } = useFormat()
  const list = useStatements(params)
  const due = useDue()
  const state = ({ state }: Statement) => <State tone={tones[state]}>{words('accounting.statement_state', { state })}</State>
  return (
    <ListScreen
      caption={words('accounting.statements')}
      list={list}
      columns={useColumns(due, state)}
      keyOf={({ uuid }) => uuid}
      lines={statement => ({
        title: statement.number,
        end: due(statement),
        detail: words('accounting.due_on', { date: date(statement.dueOn) }),
        state: state(statement),
      })}
      empty={{ icon: 'receipt', title: words('accounting.no_statements'), hint: words('accounting.no_statements_hint') }}
    />
  )
}

/** Returns in words who pays whom for a statement, and how much. */
function useDue(): (statement: Statement) => string {
  const { words } = useWords()
  const { money } = useFormat()
  return ({ due, currency }) => {
    const amounts = [due.account, due.commission].filter(amount => amount !== 0)
    if (amounts.length === 0) return money(0, currency)
    return amounts
      .map(amount =>
        words(amount > 0 ? 'accounting.agency_pays' : 'accounting.insurer_pays', { amount: money(Math.abs(amount), currency) }),
      )
      .join(' · ')
  }
}

function useColumns(due: (statement: Statement) => string, state: (statement: Statement) => ReactNode): Column<Statement>[] {
  const { words } = useWords()
  const { money, date, number } = useFormat()
  const monthName = useMonthNames('long')
  return [
    { key: 'month', head: words('accounting.month'), cell: ({ month }) => monthName(month) },
    {
      key: 'number',
      head: words('accounting.statement'),
      hide: 'narrow',
      cell: ({ number }) => <span className="text-quiet">{number}</span>,
    },
    { key: 'deeds', head: words('accounting.deeds'), align: 'end', hide: 'medium', cell: ({ deeds }) => number(deeds) },
    {
      key: 'before',
      head: words('accounting.before'),
      align: 'end',
      hide: 'narrow',
      cell: ({ before, netted, currency }) => money(netted ? before.account - before.commission : before.account, currency),
    },
    { key: 'account', head: words('accounting.on_account'), align: 'end', cell: ({ account, currency }) => money(account, currency) },
    { key: 'earned', head: words('accounting.earned'), align: 'end', cell: ({ earned, currency }) => money(earned, currency) },
    { key: 'due', head: words('accounting.due'), align: 'end', cell: due },
    { key: 'dueOn', head: words('accounting.due_day'), hide: 'narrow', cell: ({ dueOn }) => date(dueOn) },
    { key: 'state', head: words('accounting.state'), cell: state },
  ]
}
