import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormat } from '#portal/kit/format.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Breakdown } from './breakdown/breakdown.tsx'
import { Equations, StatementState } from './statement/calculation.tsx'
import { type Earnings, type EarningsParam, type EarningsParams, useRates } from './use-accounting.ts'

type Props = {
  /** Undefined while loading. */
  earnings: Earnings | undefined
  params: EarningsParams
  onFilter: (filters: { [name in EarningsParam]?: string | undefined }) => void
}

/** One month as a statement, or the sums and rates of the period; a bar for each month, and a table of the chosen view. Its rows filter the list below. */
export function Figures({ earnings, params, onFilter }: Props) {
  const { words } = useWords()
  const { money, number, share } = useFormat()
  const total = earnings?.total
  const rates = useRates(params)
  const rate = (value: number | null | undefined) => {
    if (value !== undefined) return share(value)
    if (!rates.error) return '…'
    return <IconButton icon="repeat" label={words('accounting.rates_failed')} onClick={() => void rates.refetch()} />
  }
  const sum = (amount: number | undefined) => (amount === undefined || !earnings ? '…' : money(amount, earnings.currency))
  return (
    <Card>
      {earnings?.month ? (
        <MonthSum earnings={earnings} month={earnings.month} />
      ) : (
        <dl className="flex flex-wrap gap-x-6 gap-y-2">
          <Figure name={words('accounting.earned')} strong>
            {sum(total?.earned)}
          </Figure>
          <Figure name={words('accounting.gross_total')}>{sum(total?.gross)}</Figure>
          <Figure name={words('accounting.on_account')}>{sum(total?.account)}</Figure>
          <Figure name={words('accounting.deeds')}>{total ? number(total.deeds) : '…'}</Figure>
          <Figure name={words('accounting.conversion')}>{rate(rates.data?.total.conversion)}</Figure>
          <Figure name={words('accounting.refund_rate')}>{rate(rates.data?.total.refundRate)}</Figure>
        </dl>
      )}
      {earnings && <Breakdown earnings={earnings} rates={rates} params={params} onFilter={onFilter} />}
    </Card>
  )
}

/** The month’s equation, so far or as it was closed. The statement’s number opens it. */
function MonthSum({ earnings, month: { calculation, closed } }: { earnings: Earnings; month: NonNullable<Earnings['month']> }) {
  const monthName = useMonthNames('long')
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold first-letter:uppercase">{monthName(earnings.months[0]?.name ?? '')}</h2>
        {closed && (
          <>
            <StatementState statement={closed.statement} />
            <Link
              to="/earnings"
              search={{ tab: 'statements', statement: closed.statement.number }}
              className="underline underline-offset-4"
            >
              {closed.statement.number}
            </Link>
          </>
        )}
      </div>
      <Equations calculation={calculation} currency={earnings.currency} statement={closed?.statement ?? null} open={closed?.open} />
    </>
  )
}

const Figure = ({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) => (
  <div className="grid">
    <dt className="text-sm text-quiet">{name}</dt>
    <dd className={strong ? 'text-xl font-semibold' : 'text-lg'}>{children}</dd>
  </div>
)
