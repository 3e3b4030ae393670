import { listBordereaux } from '#common/administration/calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { key, pagingOf, useOpenRecord, useParams } from '../use-records.ts'
import { BordereauState, Check, type Control, type Period } from './period.tsx'
import { PeriodPanel } from './period-panel.tsx'

/** The interval at which the list checks bordereaux that are being prepared. */
const refreshMs = 3000

/** The closed months, and whether their bordereaux were released to the insurer. */
export function Bordereaux() {
  const { words } = useWords()
  const { params } = useParams()
  const monthName = useMonthNames('long')
  const list = useList(listBordereaux, pagingOf(params), { key, rows: ({ periods }) => periods, refreshMs })
  const open = list.rows?.find(({ period }) => period === params.open)
  const { props, panel } = useOpenRecord(list, monthOf)
  const gross = useGross()
  return (
    <>
      <ListScreen
        list={list}
        caption={words('administration.bordereaux')}
        columns={useColumns()}
        {...props}
        empty={{ icon: 'file', title: words('administration.bordereau_none'), hint: words('administration.bordereau_none_hint') }}
        lines={each => ({
          title: monthName(each.period),
          end: gross(each),
          detail: unitNames(each),
          state: <BordereauState state={each.state} />,
        })}
        summary={({ count }) => words('administration.count', { count })}
        expected={8}
      />
      {open && <PeriodPanel period={open} panel={panel} />}
    </>
  )
}

const monthOf = ({ period }: Period): string => period

const unitNames = ({ units }: Period): string => units.map(({ businessUnit }) => businessUnit.brandName).join(' · ')

const sumsOf = ({ bordereaux }: Period): Control[] => bordereaux.flatMap(({ sums }) => sums ?? [])

/** Returns the gross premiums of a month's bordereaux, by currency. */
function useGross(): (period: Period) => string {
  const { money } = useFormat()
  return period =>
    [...Map.groupBy(sumsOf(period), ({ currency }) => currency)]
      .map(([currency, sums]) => money(Number(sums.reduce((sum, { gross }) => sum + gross, 0).toFixed(2)), currency))
      .join(' · ') || '—'
}

function useColumns(): Column<Period>[] {
  const { words } = useWords()
  const { number } = useFormat()
  const monthName = useMonthNames('long')
  const gross = useGross()
  return [
    { key: 'month', head: words('administration.detail_period'), cell: ({ period }) => monthName(period) },
    { key: 'units', head: words('administration.units'), hide: 48, cell: unitNames },
    {
      key: 'rows',
      head: words('administration.bordereau_rows'),
      align: 'end',
      cell: period => {
        const sums = sumsOf(period)
        return sums.length > 0 ? number(sums.reduce((sum, { rows }) => sum + rows, 0)) : '—'
      },
    },
    { key: 'gross', head: words('administration.bordereau_gross'), align: 'end', cell: gross },
    {
      key: 'check',
      head: words('administration.bordereau_check'),
      hide: 48,
      cell: period => {
        const sums = sumsOf(period)
        return sums.length > 0 ? <Check equal={sums.every(({ equal }) => equal)} /> : '—'
      },
    },
    { key: 'state', head: words('administration.state'), cell: ({ state }) => <BordereauState state={state} /> },
  ]
}
