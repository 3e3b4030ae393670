import { today } from '#common/kit/dates.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { openStore } from '#portal/kit/stores.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import type { Column } from '#portal/kit/list/table.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Row } from '../list-params.ts'
import type { Kind } from '../use-policies.ts'
import { StatusBadge } from './status-badge.tsx'

/** The hidden columns. */
const useHidden = openStore<{ hidden: string[] }>('policies-columns', { hidden: ['createdAt', 'buReference'] })

/** The columns of spec 3. A saved quote has no number yet, so the policyholder comes first. */
function useAllColumns(kind: Kind): Column<Row>[] {
  const { words } = useWords()
  const { money } = useFormat()
  const { timeZone } = useUnit().configuration
  const maySell = useMay('b2b-products-sell')
  const number: Column<Row> = {
    key: 'policyNumber',
    head: words('policies.column_number'),
    sortable: true,
    cell: ({ policyNumber }) => <span className="font-medium">{policyNumber}</span>,
  }
  const policyholder: Column<Row> = {
    key: 'policyTaker',
    head: words('policies.column_taker'),
    sortable: true,
    cell: ({ policyTaker }) => <span className="font-medium">{policyTaker || words('policies.nobody_yet')}</span>,
  }
  const commission: Column<Row> = {
    key: 'commission',
    head: words('policies.column_commission'),
    sortable: true,
    align: 'end',
    hide: 'medium',
    cell: row => (row.commission === null ? '' : money(row.commission, row.currency)),
  }
  return [
    ...(kind === 'purchased' ? [number, policyholder] : [policyholder]),
    { key: 'productName', head: words('policies.column_product'), sortable: true, hide: 'narrow', cell: row => row.productName },
    { key: 'startDate', head: words('policies.column_start'), sortable: true, cell: row => row.startDate },
    { key: 'endDate', head: words('policies.column_end'), sortable: true, hide: 'medium', cell: row => row.endDate },
    { key: 'username', head: words('policies.column_seller'), sortable: true, hide: 'medium', cell: row => row.username },
    { key: 'buReference', head: words('policies.column_reference'), sortable: true, hide: 'medium', cell: row => row.buReference },
    {
      key: 'createdAt',
      head: words('policies.column_created'),
      sortable: true,
      hide: 'medium',
      cell: row => today(new Date(row.createdAt), timeZone),
    },
    { key: 'status', head: words('policies.column_status'), cell: row => <StatusBadge policy={row} /> },
    { key: 'total', head: words('policies.column_total'), sortable: true, align: 'end', cell: row => money(row.total, row.currency) },
    ...(maySell ? [commission] : []),
  ]
}

/** Returns the visible columns. The first one cannot be hidden, since it names the row. */
export function useColumns(kind: Kind): Column<Row>[] {
  const hidden = useHidden(({ hidden }) => hidden)
  return useAllColumns(kind).filter(({ key }, index) => index === 0 || !hidden.includes(key))
}

export function ColumnsMenu({ kind }: { kind: Kind }) {
  const { words } = useWords()
  const hidden = useHidden(({ hidden }) => hidden)
  const label = words('policies.columns')
  const toggle = (key: string) =>
    useHidden.setState({ hidden: hidden.includes(key) ? hidden.filter(each => each !== key) : [...hidden, key] })
  return (
    <Menu
      label={label}
      items={useAllColumns(kind)
        .slice(1)
        .map(({ key, head }) => ({ label: head, checked: !hidden.includes(key), several: true, onSelect: () => toggle(key) }))}
    >
      {trigger => (
        <Button {...trigger} look="quiet" icon="settings" className="max-md:hidden">
          {label}
        </Button>
      )}
    </Menu>
  )
}
