import type { ReactNode } from 'react'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { useFormat } from '#portal/kit/format.ts'
import { MonthBars, useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Earnings, EarningsParam, EarningsParams } from './use-accounting.ts'

const views = ['product', 'agent', 'way', 'month'] as const
type View = (typeof views)[number]

type Props = {
  /** Undefined while they are loading. */
  earnings: Earnings | undefined
  params: EarningsParams
  onFilter: (filters: { [name in EarningsParam]?: string | undefined }) => void
}

/** The sums of the period, a bar for each month, and a table by product, agent, way or month. Its rows narrow the list below. */
export function Figures({ earnings, params, onFilter }: Props) {
  const { words } = useWords()
  const { money, number } = useFormat()
  const total = earnings?.total
  const sum = (amount: number | undefined) => (amount === undefined || !earnings ? '…' : money(amount, earnings.currency))
  return (
    <Card>
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        <Figure name={words('accounting.earned')} strong>
          {sum(total?.earned)}
        </Figure>
        <Figure name={words('accounting.gross')}>{sum(total?.gross)}</Figure>
        <Figure name={words('accounting.on_account')}>{sum(total?.account)}</Figure>
        <Figure name={words('accounting.deeds')}>{total ? number(total.deeds) : '…'}</Figure>
      </dl>
      {earnings && (
        <div className={`grid grid-cols-[minmax(0,1fr)] gap-(--gap) ${earnings.months.length > 1 ? 'lg:grid-cols-2' : ''}`}>
          {earnings.months.length > 1 && (
            <MonthBars
              label={words('accounting.picture')}
              months={earnings.months.map(({ name, earned }) => ({ name, amount: earned, hint: money(earned, earnings.currency) }))}
            />
          )}
          <Breakdown earnings={earnings} params={params} onFilter={onFilter} />
        </div>
      )}
    </Card>
  )
}

const Figure = ({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) => (
  <div className="grid">
    <dt className="text-sm text-quiet">{name}</dt>
    <dd className={strong ? 'text-xl font-semibold' : 'text-lg'}>{children}</dd>
  </div>
)

function Breakdown({ earnings, params, onFilter }: Props & { earnings: Earnings }) {
  const { words } = useWords()
  const { money, number } = useFormat()
  const monthName = useMonthNames('long')
  const view = oneOf(views, params.by) ?? 'product'
  const names: Record<View, string> = {
    product: words('accounting.by_product'),
    agent: words('accounting.by_agent'),
    way: words('accounting.by_way'),
    month: words('accounting.by_month'),
  }
  const rows = { product: earnings.products, agent: earnings.sellers, way: earnings.ways, month: earnings.months.toReversed() }[view]
  const nameOf = (name: string) => (view === 'month' ? monthName(name) : view === 'way' ? words('accounting.way', { way: name }) : name)
  const head = 'py-1.5 font-medium'
  return (
    <Tabs
      label={words('accounting.breakdown')}
      value={view}
      onChange={by => onFilter({ by: by === 'product' ? undefined : by })}
      tabs={views.map(id => ({ id, label: names[id] }))}
    >
      <table className="w-full text-left">
        <thead>
          <tr className="text-sm text-quiet">
            <th scope="col" className={head}>
              {names[view]}
            </th>
            <th scope="col" className={`${head} text-right max-sm:hidden`}>
              {words('accounting.deeds')}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {words('accounting.gross')}
            </th>
            <th scope="col" className={`${head} pl-3 text-right`}>
              {words('accounting.earned')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ uuid, name, deeds, gross, earned }) => {
            const key = uuid ?? name
            const isChosen = params[view] === key
            return (
              <tr key={key} className="border-t border-line">
                <th scope="row" className="font-normal">
                  <button
                    type="button"
                    aria-pressed={isChosen}
                    onClick={() => onFilter({ [view]: isChosen ? undefined : key })}
                    className={`min-h-(--control) text-left underline underline-offset-4 ${isChosen ? 'font-semibold' : ''}`}
                  >
                    {nameOf(name)}
                  </button>
                </th>
                <td className="py-2 text-right max-sm:hidden">{number(deeds)}</td>
                <td className="py-2 text-right">{money(gross, earnings.currency)}</td>
                <td className="py-2 pl-3 text-right font-medium">{money(earned, earnings.currency)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Tabs>
  )
}
