import type { ReactNode } from 'react'
import { fromCents, toCents } from '#common/kit/money.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { useStep } from '#portal/kit/list/rows.ts'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { StatementDrawer } from './statement/statement-drawer.tsx'
import { StatementState, useDue } from './statement/calculation.tsx'
import { type EarningsParam, type EarningsParams, type Statement, useStatements } from './use-accounting.ts'

/** The closed months with the amount due for each, and the open one beside them. */
export function StatementList({ params }: { params: EarningsParams }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const monthName = useMonthNames('long')
  const { show, follow, turnTo } = useListParams<EarningsParam>()
  const list = useStatements(params)
  const dueInWords = useDue()
  /** The unpaid rest of a carried statement is due with the next one, so here it is only a balance. */
  const due = ({ due, currency, carriedTo }: Statement) =>
    carriedTo === null ? (
      dueInWords(due, currency)
    ) : (
      <Both main={money(due.account, currency)} small={due.commission === 0 ? undefined : money(due.commission, currency)} />
    )
  const state = (statement: Statement) => <StatementState statement={statement} />
  const onFollow = ({ number }: Statement) => follow({ statement: number, lines: undefined })
  const onStep = useStep(list, { keyOf, open: params.statement, onFollow, turnTo })
  return (
    <>
      <ListScreen
        caption={words('accounting.statements')}
        list={list}
        columns={useColumns(due, state)}
        keyOf={keyOf}
        lines={statement => ({
          title: statement.number,
          end: due(statement),
          detail: statement.carriedTo === null ? words('accounting.due_on', { date: date(statement.dueOn) }) : monthName(statement.month),
          state: state(statement),
        })}
        onOpen={({ number }) => (params.statement ? follow : show)({ tab: 'statements', statement: number, lines: undefined })}
        open={params.statement}
        onFollow={onFollow}
        empty={{ icon: 'receipt', title: words('accounting.no_statements'), hint: words('accounting.no_statements_hint') }}
      />
      {params.statement && (
        <StatementDrawer
          number={params.statement}
          row={list.rows?.find(row => keyOf(row) === params.statement)}
          onStep={onStep}
          onAlone={() => show({ as: 'page' }, { resetScroll: true })}
          onClose={() => show({ tab: 'statements', statement: undefined, lines: undefined })}
        />
      )}
    </>
  )
}

/** The number is unique within the unit, and is used in the URL. */
const keyOf = ({ number }: Statement): string => number

function useColumns(due: (statement: Statement) => ReactNode, state: (statement: Statement) => ReactNode): Column<Statement>[] {
  const { words } = useWords()
  const { money, date, number } = useFormat()
  const monthName = useMonthNames('long')
  /** Shows one amount with netting, and its parts below; else the account, and the commission below. */
  const both = ({ account, commission }: Statement['before'], { netted, currency }: Statement) => {
    if (commission === 0) return money(account, currency)
    return netted ? (
      <Both
        main={money(differenceOf({ account, commission }), currency)}
        small={`${money(account, currency)} − ${money(commission, currency)}`}
      />
    ) : (
      <Both main={money(account, currency)} small={words('accounting.commission_of', { amount: money(commission, currency) })} />
    )
  }
  return [
    { key: 'month', head: words('accounting.month'), cell: ({ month }) => monthName(month) },
    {
      key: 'number',
      head: words('accounting.statement'),
      hide: 80,
      cell: ({ number }) => <span className="text-quiet">{number}</span>,
    },
    { key: 'deeds', head: words('accounting.deeds'), align: 'end', hide: 80, cell: ({ deeds }) => number(deeds) },
    { key: 'before', head: words('accounting.before'), align: 'end', hide: 64, cell: row => both(row.before, row) },
    {
      key: 'account',
      head: words('accounting.on_account'),
      align: 'end',
      hide: 64,
      cell: ({ account, currency }) => money(account, currency),
    },
    {
      key: 'earned',
      head: words('accounting.earned'),
      align: 'end',
      hide: 48,
      cell: ({ earned, stampDuty: { amount }, currency }) =>
        amount === 0 ? (
          money(earned, currency)
        ) : (
          <Both main={money(earned, currency)} small={words('accounting.less_duty', { amount: money(-amount, currency) })} />
        ),
    },
    { key: 'paid', head: words('accounting.paid_column'), align: 'end', hide: 64, cell: row => both(row.paid, row) },
    { key: 'due', head: words('accounting.due'), align: 'end', cell: due },
    { key: 'dueOn', head: words('accounting.due_day'), cell: ({ dueOn, carriedTo }) => (carriedTo === null ? date(dueOn) : '—') },
    { key: 'state', head: words('accounting.state'), cell: state },
  ]
}

/** An amount, with a related one in small letters below. */
const Both = ({ main, small }: { main: string; small: string | undefined }) => (
  <span className="grid">
    <span>{main}</span>
    {small !== undefined && <span className="text-sm text-quiet">{small}</span>}
  </span>
)

/** Computed in cents, as 67.52 - 17.48 is not exact. */
const differenceOf = ({ account, commission }: Statement['before']): number =>
  fromCents((toCents(account) ?? 0) - (toCents(commission) ?? 0))
