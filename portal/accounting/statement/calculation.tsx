import type { ReactNode } from 'react'
import { ibanGrouped } from '#common/kit/validators/accounts.ts'
import { useFormat } from '#portal/kit/format.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Calculation, Statement } from '../use-accounting.ts'
import './calculation.css'

type Props = {
  calculation: Calculation
  currency: string
  /** Null while the month is open. */
  statement: Statement | null
  /** The amounts still to be paid, where no list of payments says it. */
  open?: Statement['due'] | undefined
}

/** A month as an equation: sold − paid by card − commission = due. Without netting, the account and the commission have one each. */
export function Equations({ calculation, ...props }: Props) {
  const { words } = useWords()
  return (
    <div role="group" aria-label={words('accounting.sums')} className="@container grid gap-(--gap)">
      {calculation.equations.map(equation => (
        <dl key={equation.terms.map(({ name }) => name).join('-')} className="equation">
          {equation.terms.map((term, index) => (
            <TermLine key={term.name} term={term} isFirst={index === 0} percent={calculation.dutyPercent} currency={props.currency} />
          ))}
          <DueLine due={equation.due} calculation={calculation} {...props} />
        </dl>
      ))}
    </div>
  )
}

type Equation = Calculation['equations'][number]
type Term = Equation['terms'][number]

const termNames = {
  before: 'accounting.before',
  sold: 'accounting.sold_total',
  card: 'accounting.paid_by_card',
  commission: 'accounting.your_commission',
  stamp_duty: 'accounting.stamp_duty',
  netted_before: 'accounting.netted_before',
  paid: 'accounting.paid_in_month',
} as const

function TermLine({ term, isFirst, percent, currency }: { term: Term; isFirst: boolean; percent: number; currency: string }) {
  const { words } = useWords()
  const { money } = useFormat()
  const { name, amount, parts } = term
  const signed = `${amount > 0 ? '+' : '−'}\u00A0${money(Math.abs(amount), currency)}`
  return (
    <Line
      name={name === 'stamp_duty' ? words(termNames[name], { percent }) : words(termNames[name])}
      amount={isFirst ? money(amount, currency) : signed}
    >
      {parts.length > 0 && (
        <dd>{parts.map(part => words('accounting.part', { part: part.name, amount: money(part.amount, currency) })).join(' · ')}</dd>
      )}
    </Line>
  )
}

/** Says who pays whom, how much, until when and to which account. */
function DueLine({ due, calculation: { insurerName, iban }, currency, statement, open }: Props & { due: number }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const dueInWords = useDue()
  const isDue = due !== 0 && !statement?.carriedTo
  const name =
    due === 0
      ? words('accounting.nothing_due')
      : statement?.carriedTo
        ? words('accounting.balance')
        : words(due > 0 ? 'accounting.you_pay' : 'accounting.pays_you', { insurer: insurerName })
  const amount = isDue ? Math.abs(due) : due
  const isPaid = statement?.state === 'paid'
  const isPartlyPaid =
    statement && open && !isPaid && (open.account !== statement.due.account || open.commission !== statement.due.commission)
  return (
    <Line name={name} amount={`=\u00A0${money(amount, currency)}`} isResult>
      {!statement && <dd>{words('accounting.so_far')}</dd>}
      {statement && isDue && !isPaid && <dd>{words('accounting.due_on', { date: date(statement.dueOn) })}</dd>}
      {statement && isDue && !isPaid && due > 0 && iban && (
        <dd>{words('accounting.pay_to', { iban: ibanGrouped(iban), number: statement.number })}</dd>
      )}
      {isDue && isPartlyPaid && <dd>{words('accounting.still_open', { amounts: dueInWords(open, currency) })}</dd>}
      {statement?.overdue && due > 0 && (
        <dd className="text-danger">
          {words('accounting.overdue_since', { amount: money(statement.overdue.amount, currency), date: date(statement.overdue.since) })}
        </dd>
      )}
    </Line>
  )
}

/** A term of the equation, or its result. */
function Line({ name, amount, isResult = false, children }: { name: string; amount: string; isResult?: boolean; children: ReactNode }) {
  return (
    <div className="text-sm text-quiet">
      <dt className={isResult ? 'font-medium text-ink' : ''}>{name}</dt>
      <dd className={`whitespace-nowrap text-ink ${isResult ? 'text-xl font-semibold' : 'text-lg'}`}>{amount}</dd>
      {children}
    </div>
  )
}

const tones = { open: 'neutral', overdue: 'danger', paid: 'success', carried: 'over' } as const

/** The unpaid part of a carried statement is due with the next one, and only that can be overdue. */
export function StatementState({ statement: { state: ofItself, carriedTo, overdue, due } }: { statement: Statement }) {
  const { words } = useWords()
  if (carriedTo !== null) return <State tone={tones.carried}>{words('accounting.carried_to', { number: carriedTo })}</State>
  if (!overdue && due.account === 0 && due.commission === 0) return <State tone={tones.open}>{words('accounting.nothing_due')}</State>
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
