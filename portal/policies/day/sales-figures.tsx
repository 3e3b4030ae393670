import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { intlTag } from '#common/kit/locales.ts'
import type { policySales } from '#common/policies/day-calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Sales = ResponseOf<typeof policySales>
type View = 'months' | 'products' | 'sellers'

const [width, height, gap, top] = [240, 84, 12, 14]

/** Draws the amounts as bars, this month's in colour. A tooltip shows the number of policies; the table has all figures. */
function Bars({ months }: { months: Sales['months'] }) {
  const { words } = useWords()
  const { number } = useFormat()
  const nameOf = useMonthNames('short')
  const highest = Math.max(1, ...months.map(({ total }) => total))
  const barWidth = width / Math.max(1, months.length)
  return (
    <svg
      viewBox={`0 0 ${width} ${top + height + 18}`}
      role="img"
      aria-label={words('policies.sales_picture')}
      className="w-full max-w-96 justify-self-center"
    >
      {months.map(({ name, total, policies }, index) => {
        const barHeight = (total / highest) * height
        const isLast = index === months.length - 1
        return (
          <g key={name}>
            <title>{`${words('ui.form.field', { label: nameOf(name) })} ${policies}`}</title>
            <rect
              x={index * barWidth + gap / 2}
              y={top + height - Math.max(barHeight, 1.5)}
              width={barWidth - gap}
              height={Math.max(barHeight, 1.5)}
              rx="2"
              className={isLast ? 'fill-accent' : 'fill-quiet'}
            />
            <text
              x={index * barWidth + barWidth / 2}
              y={top + height - Math.max(barHeight, 1.5) - 4}
              textAnchor="middle"
              className={`fill-quiet text-[0.625rem] ${isLast ? 'font-semibold' : ''}`}
            >
              {number(Math.round(total))}
            </text>
            <text x={index * barWidth + barWidth / 2} y={top + height + 14} textAnchor="middle" className="fill-quiet text-[0.625rem]">
              {nameOf(name)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** The sales of the last months: a bar for each, and a table by month, product and agent. */
export function SalesFigures({ sales, onClose }: { sales: Sales; onClose: () => void }) {
  const { words } = useWords()
  const { money, number } = useFormat()
  const nameOf = useMonthNames('long')
  const [view, setView] = useState<View>('months')
  const heads = { months: words('policies.by_month'), products: words('policies.by_product'), sellers: words('policies.by_seller') }
  const views: View[] = ['months', 'products', 'sellers']
  const showsEarned = sales.months.some(({ earned }) => earned !== null)
  const rows = view === 'months' ? sales.months.toReversed() : sales[view]
  return (
    <Dialog open onClose={onClose} title={words('policies.sales_hint')}>
      <Bars months={sales.months} />
      <Tabs<View> label={words('policies.sales')} value={view} onChange={setView} tabs={views.map(id => ({ id, label: heads[id] }))}>
        <table className="w-full text-left">
          <thead>
            <tr className="text-sm text-quiet">
              <th scope="col" className="py-1.5 font-medium">
                {heads[view]}
              </th>
              <th scope="col" className="py-1.5 text-right font-medium">
                {words('policies.sold_many')}
              </th>
              <th scope="col" className="py-1.5 text-right font-medium">
                {words('policies.column_total')}
              </th>
              {showsEarned && (
                <th scope="col" className="py-1.5 pl-3 text-right font-medium">
                  {words('policies.column_commission')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ uuid, name, policies, total, earned }) => (
              <tr key={uuid ?? name} className="border-t border-line">
                <th scope="row" className="py-2 font-normal">
                  {view === 'months' ? nameOf(name) : name}
                </th>
                <td className="py-2 text-right">{number(policies)}</td>
                <td className="py-2 text-right font-medium">{money(total, sales.currency)}</td>
                {earned !== null && <td className="py-2 pl-3 text-right font-medium">{money(earned, sales.currency)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Tabs>
    </Dialog>
  )
}

function useMonthNames(month: 'short' | 'long'): (name: string) => string {
  const { locale } = useWords()
  const format = new Intl.DateTimeFormat(intlTag(locale), { month, timeZone: 'UTC', ...(month === 'long' ? { year: 'numeric' } : {}) })
  return name => format.format(new Date(`${name}-01T00:00:00Z`))
}
