import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { intlTag } from '#common/kit/locales.ts'
import { policySales } from '#common/policies/day-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'

export const boxLook =
  'grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-sheet px-4 py-3 sm:h-52 sm:grid-rows-[auto_1fr] sm:p-4'

type Sales = ResponseOf<typeof policySales>
type View = 'months' | 'products' | 'sellers'

/** The month's commissions as a figure, and a bar of sales for each of the last six. A dialog lists them by month, product and seller. */
export function SalesPicture() {
  const { words } = useWords()
  const { money } = useFormat()
  const [open, setOpen] = useState(false)
  const { data, isError, refetch } = useQuery({
    queryKey: ['policies', 'sales'],
    queryFn: ({ signal }) => ask(policySales, {}, { signal }),
  })
  const thisMonth = data?.months.at(-1)
  const showsEarned = useMay('b2b-products-sell')
  const title = words(showsEarned ? 'policies.earned' : 'policies.sales')
  return (
    <section aria-label={title} className={boxLook}>
      <header className="flex items-center gap-2">
        <Icon name="receipt" className="size-4 text-quiet" />
        <h3 className="min-w-0 flex-1 font-medium">{title}</h3>
        {data && thisMonth && <span className="text-lg font-semibold">{money(thisMonth.earned ?? thisMonth.total, data.currency)}</span>}
        <IconButton
          icon="rows"
          label={words('policies.sales_table')}
          disabled={!data}
          onClick={() => setOpen(true)}
          className="-my-2 -mr-2"
        />
      </header>
      {data ? (
        <Bars months={data.months} />
      ) : isError ? (
        <div className="grid content-start justify-items-start gap-2 text-sm text-quiet">
          <p>{words('policies.sales_failed')}</p>
          <Button look="quiet" icon="repeat" onClick={() => void refetch()}>
            {words('shell.try_again')}
          </Button>
        </div>
      ) : (
        <Skeleton className="h-full max-sm:hidden" />
      )}
      {open && data && <Figures sales={data} onClose={() => setOpen(false)} />}
    </section>
  )
}

const [width, height, gap] = [240, 96, 12]

/** Draws the amounts as bars. A tooltip shows the number of policies; the table has all figures. */
function Bars({ months }: { months: Sales['months'] }) {
  const { words } = useWords()
  const nameOf = useMonthNames('short')
  const highest = Math.max(1, ...months.map(({ total }) => total))
  const barWidth = width / Math.max(1, months.length)
  return (
    <svg
      viewBox={`0 0 ${width} ${height + 18}`}
      role="img"
      aria-label={words('policies.sales_picture')}
      className="size-full max-sm:hidden"
    >
      {months.map(({ name, total, policies }, index) => {
        const barHeight = (total / highest) * height
        const isLast = index === months.length - 1
        return (
          <g key={name}>
            <title>{`${nameOf(name)}: ${policies}`}</title>
            <rect
              x={index * barWidth + gap / 2}
              y={height - Math.max(barHeight, 1.5)}
              width={barWidth - gap}
              height={Math.max(barHeight, 1.5)}
              rx="2"
              className={isLast ? 'fill-accent' : 'fill-[color-mix(in_srgb,var(--color-accent)_45%,var(--color-sheet))]'}
            />
            <text x={index * barWidth + barWidth / 2} y={height + 14} textAnchor="middle" className="fill-quiet text-[0.625rem]">
              {nameOf(name)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function Figures({ sales, onClose }: { sales: Sales; onClose: () => void }) {
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
