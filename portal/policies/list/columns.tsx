import type { ResponseOf } from '#common/kit/call.ts'
import type { policyTotals } from '#common/policies/calls.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useProductName } from '#portal/products/store.ts'
import { daysBetween, today } from '#common/kit/dates.ts'
import { sortKeys } from '#common/policies/search.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { Column, Foot, Lines } from '#portal/kit/list/table-parts.tsx'
import { openStore } from '#portal/kit/stores.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { useMay } from '#portal/session/session.ts'
import type { Row } from '../list-params.ts'
import type { Kind, Listed } from '../use-policies.ts'
import { PriceUntil } from '../price-until.tsx'
import { StatusBadge } from '../status.tsx'

type ColumnKey = (typeof sortKeys)[number]

/** The hidden columns of policies, and those of saved quotes, which are known by their reference. */
const useHidden = openStore<Record<Kind, ColumnKey[]>>('policies-columns', {
  purchased: ['createdAt', 'buReference'],
  budgeted: ['createdAt', 'endDate'],
})

export const hiddenColumns = (kind: Kind): ColumnKey[] => useHidden.getState()[kind]

/** Shows all columns but these, for a saved view. */
export const showColumns = (kind: Kind, hidden: readonly string[]): void =>
  useHidden.setState({ [kind]: sortKeys.filter(key => hidden.includes(key)) })

type PolicyColumn = Column<Row> & { key: ColumnKey }

/** The columns of spec 3, from the policyholder to the number. A saved quote has no number yet. */
function useAllColumns(kind: Kind): PolicyColumn[] {
  const { words } = useWords()
  const { money } = useFormat()
  const { timeZone } = useUnit().configuration
  const maySell = useMay('b2b-products-sell')
  const showsCommission = useShowsCommission()
  const productName = useProductName()
  const isSold = kind === 'purchased'
  const quiet = (text: string) => <span className="text-quiet">{text}</span>
  const commission: PolicyColumn = {
    key: 'commission',
    wide: 8,
    head: words('policies.column_commission'),
    sortable: true,
    align: 'end',
    hide: isSold ? 64 : 72,
    cell: row => quiet(row.commission === null ? '' : money(row.commission, row.currency)),
  }
  const number: PolicyColumn = {
    key: 'policyNumber',
    wide: 9,
    head: words('policies.number'),
    sortable: true,
    hide: 64,
    cell: row => <span className="text-sm text-faint">{row.policyNumber}</span>,
  }
  const reference: PolicyColumn = {
    key: 'buReference',
    wide: 17,
    head: words('policies.column_reference'),
    sortable: true,
    hide: isSold ? 64 : 48,
    cell: ({ buReference }) => (
      <span className={`block truncate text-quiet ${isSold ? 'max-w-56' : 'max-w-32'}`} title={buReference}>
        {buReference}
      </span>
    ),
  }
  const priceUntil: PolicyColumn = {
    key: 'priceValidUntil',
    wide: 16,
    head: words('policies.price_until_head'),
    sortable: true,
    hide: 64,
    cell: ({ priceValidUntil }) => priceValidUntil && <PriceUntil at={priceValidUntil} look="column" />,
  }
  return [
    {
      key: 'policyTaker',
      wide: 24,
      head: words('policies.column_taker'),
      sortable: true,
      // The column of references is hidden beside a panel.
      cell: row => row.policyTaker || (!isSold && row.buReference) || words('policies.nobody_yet'),
    },
    ...(isSold ? [] : [reference]),
    {
      key: 'productName',
      wide: isSold ? 24 : 17,
      head: words('policies.column_product'),
      sortable: true,
      hide: isSold ? 48 : 64,
      cell: row => <Product name={productName(row)} brief={!isSold} />,
    },
    { key: 'startDate', wide: 19, head: words('policies.column_start'), sortable: true, cell: row => <Departure row={row} /> },
    { key: 'endDate', wide: 10, head: words('policies.column_end'), sortable: true, hide: 64, cell: row => row.endDate },
    {
      key: 'username',
      wide: 13,
      head: words('policies.column_seller'),
      sortable: true,
      hide: isSold ? 72 : 80,
      cell: row => quiet(row.username),
    },
    ...(isSold ? [reference] : []),
    {
      key: 'createdAt',
      wide: 10,
      head: words('policies.column_created'),
      sortable: true,
      hide: 64,
      cell: row => today(new Date(row.createdAt), timeZone),
    },
    { key: 'status', wide: isSold ? 10 : 13, head: words('policies.column_status'), cell: row => <StatusBadge policy={row} /> },
    ...(isSold ? [] : [priceUntil]),
    {
      key: 'total',
      wide: 9,
      head: words('policies.price'),
      sortable: true,
      align: 'end',
      cell: row => <span className="font-semibold">{money(row.total, row.currency)}</span>,
    },
    ...(maySell && showsCommission ? [commission] : []),
    ...(isSold ? [number] : []),
  ]
}

/** The name of a product. In the list of saved quotes, which has one more column, it is no wider than the remaining space. */
const Product = ({ name, brief }: { name: string; brief: boolean }) => (
  <span className={`block truncate text-quiet ${brief ? 'max-w-32' : ''}`} title={brief ? name : undefined}>
    {name}
  </span>
)

/** Departures within this many days show the days that are left. The nearest are highlighted. */
const soonDays = 14
const closeDays = 2

/** A start date, with the days until then. */
function Departure({ row: { startDate, status } }: { row: Row }) {
  const { words } = useWords()
  const days = daysBetween(todayInUnit(), startDate)
  const isSoon = status !== 'cancelled' && days >= 0 && days <= soonDays
  return (
    <>
      {startDate}
      {isSoon && (
        <span className={`ml-1.5 text-sm ${days <= closeDays ? 'font-semibold text-warning' : 'text-faint'}`}>
          {words('policies.leaves_in', { days })}
        </span>
      )}
    </>
  )
}

/** Returns the visible columns. The first one cannot be hidden, since it names the row. */
export function useColumns(kind: Kind): Column<Row>[] {
  const hidden = useHidden(stored => stored[kind])
  return useAllColumns(kind).filter(({ key }, index) => index === 0 || !hidden.includes(key))
}

/** Returns the two lines of a row on a phone. */
export function useLines(): (row: Row) => Lines {
  const { words } = useWords()
  const { money } = useFormat()
  const productName = useProductName()
  return row => ({
    title: row.policyTaker || (row.status === 'budgeted' && row.buReference) || words('policies.nobody_yet'),
    end: money(row.total, row.currency),
    detail: `${row.startDate} – ${row.endDate} · ${productName(row)}`,
    state: <StatusBadge policy={row} />,
  })
}

export function ColumnsMenu({ kind }: { kind: Kind }) {
  const { words } = useWords()
  const hidden = useHidden(stored => stored[kind])
  const label = words('policies.columns')
  const toggle = (key: ColumnKey) =>
    useHidden.setState({ [kind]: hidden.includes(key) ? hidden.filter(each => each !== key) : [...hidden, key] })
  return (
    <Menu
      label={label}
      items={useAllColumns(kind)
        .slice(1)
        .map(({ key, head }) => ({ label: head, checked: !hidden.includes(key), several: true, onSelect: () => toggle(key) }))}
    >
      {trigger => (
        <Button {...trigger} look="plain" icon="settings" className="max-md:hidden">
          {label}
        </Button>
      )}
    </Menu>
  )
}

type Totals = { data: ResponseOf<typeof policyTotals> | undefined; isError: boolean; refetch: () => unknown }

/** Returns the totals of all policies that the list finds. Those of many policies are loaded after the rows. */
export function useFoot(kind: Kind, listed: Listed | undefined, totals: Totals): Foot | undefined {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency } = useUnit().configuration
  if (!listed || listed.total === 0) return undefined
  const sums = listed.sums ?? totals.data
  const hasFailed = !sums && totals.isError
  const total = sums ? (
    money(sums.total, currency)
  ) : hasFailed ? (
    <IconButton icon="repeat" label={words('policies.totals_failed')} onClick={() => void totals.refetch()} />
  ) : (
    <Skeleton className="ml-auto h-3.5 w-20" />
  )
  if (!listed.totalIsExact) return { label: words(hasFailed ? 'policies.totals_failed' : 'policies.counting'), sums: { total }, end: total }
  return {
    label: [
      words(kind === 'purchased' ? 'policies.count' : 'policies.count_saved', { count: listed.total }),
      // Quotes of trips that have begun are not added up, and the footer counts the others.
      ...(sums && sums.policies < listed.total ? [words('policies.count_open', { count: sums.policies })] : []),
    ].join(' · '),
    sums: { total, commission: sums?.commission === null ? '' : sums && money(sums.commission, currency) },
    end: total,
  }
}
