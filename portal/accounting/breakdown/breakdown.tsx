import { useRef } from 'react'
import { currencySign } from '#common/kit/money.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { MonthBars } from '#portal/kit/page/month-bars.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Earnings, EarningsParam, EarningsParams, Rates, useRates } from '../use-accounting.ts'
import { SaveMenu } from './save-menu.tsx'
import { type BreakdownTable, isOfRates, useTables, useViewNames, type View, views } from './table.ts'

type Props = {
  earnings: Earnings
  rates: ReturnType<typeof useRates>
  params: EarningsParams
  onFilter: (filters: { [name in EarningsParam]?: string | undefined }) => void
}

/** A bar for each month, and a table of the chosen view. Both can be saved as files. */
export function Breakdown({ earnings, rates, params, onFilter }: Props) {
  const { words } = useWords()
  const names = useViewNames()
  const picture = useRef<HTMLDivElement>(null)
  const view = oneOf(views, params.by) ?? 'product'
  const tableOf = useTables()
  const table = tableOf(view, earnings, rates.data)
  const isMissing = isOfRates(view) && !rates.data
  const hasChart = earnings.months.length > 1 && !isMissing
  return (
    <div className="@container">
      <div className={`grid grid-cols-[minmax(0,1fr)] gap-(--gap) ${hasChart ? '@3xl:grid-cols-2' : ''}`}>
        {hasChart && (
          <div ref={picture} className="grid content-start gap-2">
            <Chart view={view} earnings={earnings} rates={rates.data} />
          </div>
        )}
        <Tabs
          label={words('accounting.breakdown')}
          value={view}
          onChange={by => onFilter({ by: by === 'product' ? undefined : by })}
          tabs={views.map(id => ({ id, label: names[id] }))}
          after={
            !isMissing && (
              <SaveMenu
                title={names[view]}
                tableOf={whole => tableOf(view, whole, rates.data)}
                earnings={earnings}
                picture={hasChart ? picture : undefined}
              />
            )
          }
        >
          {isMissing ? (
            <MissingPart of={rates} title={words('accounting.rates_failed')} />
          ) : (
            <Table table={table} chosen={params[table.filter]} onChoose={key => onFilter({ [table.filter]: key })} />
          )}
        </Tabs>
      </div>
    </div>
  )
}

type TableProps = { table: BreakdownTable; chosen: string | undefined; onChoose: (key: string | undefined) => void }

/** The columns of a table. Narrow tables have fewer: on a phone, beside the chart, and beside a drawer. */
const [figure, hiddenIfNarrow] = ['pl-3 text-right', 'pl-3 text-right @max-md:hidden']
const columns = ['', hiddenIfNarrow, figure, figure]
const columnsWithShares = ['', 'pl-3 text-right @max-lg:hidden', hiddenIfNarrow, figure, figure, figure]

function Table({ table, chosen, onChoose }: TableProps) {
  const { words } = useWords()
  return (
    <div className="@container">
      <Rows table={table} chosen={chosen} onChoose={onChoose} />
      {table.hasShares && <p className="mt-2 text-sm text-quiet">{words('accounting.share_note')}</p>}
    </div>
  )
}

function Rows({ table: { heads, rows, hasShares }, chosen, onChoose }: TableProps) {
  const classes = hasShares ? columnsWithShares : columns
  return (
    <table className="w-full text-left">
      <thead>
        <tr className="text-sm text-quiet">
          {heads.map((head, column) => (
            <th key={head} scope="col" className={`py-1.5 font-normal ${classes[column]}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells }) => {
          const isChosen = chosen === key
          return (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="font-normal">
                <button
                  type="button"
                  aria-pressed={isChosen}
                  onClick={() => onChoose(isChosen ? undefined : key)}
                  className={`min-h-(--control) text-left underline underline-offset-4 ${isChosen ? 'font-semibold' : ''}`}
                >
                  {name}
                </button>
              </th>
              {cells.map(({ text }, index) => (
                <td key={heads[index + 1]} className={`py-2 ${classes[index + 1]} ${index === cells.length - 1 ? 'font-medium' : ''}`}>
                  {text}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Charts the months’ conversion or refund rate if that is the view, else their commission. */
function Chart({ view, earnings, rates }: { view: View; earnings: Earnings; rates: Rates | undefined }) {
  const { words, locale } = useWords()
  const { money, share } = useFormat()
  const labels = {
    conversion: words('accounting.conversion_picture'),
    refunds: words('accounting.refunds_picture'),
    earned: words('accounting.picture', { currency: currencySign(locale, earnings.currency) }),
  }
  const label = labels[isOfRates(view) ? view : 'earned']
  const rateOf = new Map(rates?.months.map(each => [each.name, view === 'conversion' ? each.conversion : each.refundRate]))
  const months = earnings.months.map(({ name, earned }) => {
    const rate = rateOf.get(name) ?? null
    return isOfRates(view)
      ? { name, amount: rate === null ? null : rate * 100, hint: share(rate) }
      : { name, amount: earned, hint: money(earned, earnings.currency) }
  })
  return (
    <>
      {/* The chart has this text as its name. */}
      <p aria-hidden="true" className="text-sm text-quiet">
        {label}
      </p>
      <MonthBars label={label} months={months} />
    </>
  )
}
