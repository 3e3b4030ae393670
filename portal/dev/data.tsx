import { useState } from 'react'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Badge, Callout, EmptyState, State } from '#portal/kit/ui/card.tsx'
import { Pagination } from '#portal/kit/list/pagination.tsx'
import { Progress } from '#portal/kit/page/progress-bar.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column, Sort } from '#portal/kit/list/table-parts.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { Loader } from '#portal/kit/overlay/notice-host.tsx'
import { policies, type Policy } from './samples.ts'

const columns: Column<Policy>[] = [
  { key: 'policyNumber', head: 'Number', sortable: true, cell: row => <span className="font-medium">{row.policyNumber}</span> },
  { key: 'policyTaker', head: 'Policyholder', sortable: true, cell: row => row.policyTaker },
  { key: 'productName', head: 'Product', hide: 48, cell: row => row.productName },
  { key: 'startDate', head: 'From', sortable: true, cell: row => row.startDate },
  { key: 'endDate', head: 'To', hide: 64, cell: row => row.endDate },
  { key: 'status', head: 'Status', cell: row => <State tone={row.status === 'purchased' ? 'success' : 'neutral'}>{row.status}</State> },
  { key: 'price', head: 'Price', align: 'end', cell: row => row.price },
  { key: 'actions', head: 'Actions', hideHead: true, align: 'end', cell: row => <Actions row={row} /> },
]

function Actions({ row }: { row: Policy }) {
  return (
    <Menu
      label={row.policyNumber}
      items={[
        { label: 'Open', icon: 'search', detail: '↵', onSelect: () => undefined },
        { label: 'Download', icon: 'download', onSelect: () => undefined },
        { label: 'Send by mail', icon: 'mail', disabled: true, onSelect: () => undefined },
        {
          label: 'Delete',
          icon: 'trash',
          danger: true,
          apart: true,
          onSelect: () => showToast({ severity: 'error', summary: 'Not deleted' }),
        },
      ]}
    >
      {trigger => (
        <IconButton {...trigger} icon="more" label={`Actions: ${row.policyNumber}`} className="min-h-8 min-w-8 pointer-coarse:min-h-11" />
      )}
    </Menu>
  )
}

export function TableSample() {
  const [sort, setSort] = useState<Sort>({ key: 'policyNumber', order: 'asc' })
  const [page, setPage] = useState(4)
  const [tab, setTab] = useState<'sold' | 'saved' | 'none' | 'loading'>('sold')
  // Safe: each sortable column has the name of a text of Policy.
  const key = sort.key as keyof Policy
  const rows = policies.toSorted((a, b) => a[key].localeCompare(b[key]) * (sort.order === 'asc' ? 1 : -1))
  return (
    <Tabs
      label="Policies"
      value={tab}
      onChange={setTab}
      tabs={[
        { id: 'sold', label: 'Sold', count: 208 },
        { id: 'saved', label: 'Being fetched', count: 12 },
        { id: 'loading', label: 'Loading' },
        { id: 'none', label: 'None' },
      ]}
    >
      <div className="grid gap-3">
        <Table
          caption="Policies"
          columns={columns}
          rows={tab === 'none' ? [] : tab === 'loading' ? undefined : rows}
          expected={8}
          keyOf={row => row.policyUuid}
          sort={sort}
          onSort={setSort}
          busy={tab === 'saved'}
          onOpen={row => showToast({ summary: row.policyNumber, detail: row.policyTaker })}
          empty={
            <EmptyState icon="search" title="No policy matches" action={<Button look="quiet">Clear the filter</Button>}>
              Try another name or number, or search the saved quotes.
            </EmptyState>
          }
        />
        <Pagination page={page} pages={21} onPage={setPage} />
      </div>
    </Tabs>
  )
}

export function StateSamples() {
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <div className="grid content-start gap-4">
        <div className="flex flex-wrap gap-2">
          <State tone="success">Sold</State>
          <State tone="warning">Unpaid</State>
          <State tone="danger">Declined</State>
          <State tone="info">Changed</State>
          <State tone="neutral">Invited</State>
          <State tone="over">Cancelled</State>
          <Badge>Neutral</Badge>
          <Badge tone="accent">Accent</Badge>
          <Badge tone="success" icon="check">
            Sold
          </Badge>
          <Badge tone="warning">Pending</Badge>
          <Badge tone="danger">Cancelled</Badge>
          <Badge tone="info">New</Badge>
        </div>
        <Callout tone="info" title="Prices include all taxes" />
        <Callout tone="warning" title="Two travellers are under 14">
          They need no document number.
        </Callout>
        <Callout tone="danger">The card was declined.</Callout>
        <Callout tone="success" title="Policy AZ-2026-104233 was sold" />
      </div>
      <div className="grid content-start gap-4">
        <Progress label="Importing travellers" value={128} max={200} />
        <Progress label="Preparing the workbook" />
        <Loading className="grid gap-2">
          <Skeleton className="h-5 w-40" />
          <Skeleton />
          <Skeleton className="h-4 w-3/4" />
        </Loading>
        <div className="relative h-24 rounded-lg border border-line p-3">
          In place
          <Loader isVisible bgTrasparent={false} fullScreen={false} />
        </div>
      </div>
    </div>
  )
}
