import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import type { policySales } from '#common/policies/day-calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { MonthBars, useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Sales = ResponseOf<typeof policySales>
type View = 'months' | 'products' | 'sellers'

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
      <MonthBars
        label={words('policies.sales_picture')}
        months={sales.months.map(({ name, total, policies }) => ({ name, amount: total, hint: String(policies) }))}
      />
      <Tabs<View> label={words('policies.sales')} value={view} onChange={setView} tabs={views.map(id => ({ id, label: heads[id] }))}>
        <table className="w-full text-left">
          <thead>
            <tr className="text-sm text-quiet">
              <th scope="col" className="py-1.5 font-normal">
                {heads[view]}
              </th>
              <th scope="col" className="py-1.5 text-right font-normal">
                {words('policies.sold_many')}
              </th>
              <th scope="col" className="py-1.5 text-right font-normal">
                {words('policies.column_total')}
              </th>
              {showsEarned && (
                <th scope="col" className="py-1.5 pl-3 text-right font-normal">
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
