import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { policyCan } from '#common/policies/states.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Page } from '#portal/kit/ui/page.tsx'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { DayPanel } from './day/day-panel.tsx'
import { deleteBudgets, exportPolicies } from './quote-actions.ts'
import { PolicyDrawer } from './detail/policy-drawer.tsx'
import { ColumnsMenu, useColumns } from './list/columns.tsx'
import { Filters } from './list/filters.tsx'
import { SelectedBar } from './list/selected-bar.tsx'
import { pageSizes, type PolicyParam, type Row, sortIn } from './list-params.ts'
import { SendDialog } from './send-dialog.tsx'
import { type Kind, usePolicies } from './use-policies.ts'

export const SoldPage = () => <PoliciesPage kind="purchased" />
export const SavedPage = () => <PoliciesPage kind="budgeted" />

/** Policies or saved quotes: finds, opens, sends, exports and deletes them. */
function PoliciesPage({ kind }: { kind: Kind }) {
  const { words } = useWords()
  const { params, filter, show } = useListParams<PolicyParam>()
  const { list, request } = usePolicies(kind, params)
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const [sending, setSending] = useState<readonly Row[]>()
  const [exporting, setExporting] = useState(false)
  const columns = useColumns(kind)
  const empty = useEmpty(kind, Boolean(params.search ?? params.from ?? params.to), () => filter({ search: '', from: '', to: '' }))
  const title = words(kind === 'purchased' ? 'shell.menu.policies' : 'shell.menu.budget')

  /** Deleted quotes are no longer selected, wherever they were deleted. */
  function deselect(deleted: readonly Row[]) {
    const uuids = new Set(deleted.map(({ policyUuid }) => policyUuid))
    setSelected(before => new Map([...before].filter(([uuid]) => !uuids.has(uuid))))
  }
  async function exportList(change: Partial<typeof request>) {
    setExporting(true)
    await exportPolicies({ ...request, ...change }, words)
    setExporting(false)
  }
  return (
    <Page
      title={title}
      actions={
        <>
          <ColumnsMenu kind={kind} />
          <Button look="quiet" icon="download" busy={exporting} disabled={!list.info?.total} onClick={() => void exportList({})}>
            {words('policies.export')}
          </Button>
        </>
      }
    >
      {kind === 'purchased' && (
        <ErrorBoundary>
          <DayPanel />
        </ErrorBoundary>
      )}
      <ListScreen
        caption={title}
        list={list}
        columns={columns}
        expected={request.perPage ?? 10}
        keyOf={({ policyUuid }) => policyUuid}
        sort={sortIn(params)}
        onOpen={({ policyUuid }) => show({ policy: policyUuid })}
        keys={{ e: row => policyCan('send', row) && setSending([row]) }}
        selection={{
          chosen: new Set(selected.keys()),
          onChange: chosen => setSelected(before => rowsOf(chosen, [...before.values(), ...(list.rows ?? [])])),
          nameOf: row => words('policies.select', { name: row.policyNumber || row.policyTaker || row.productName }),
        }}
        empty={empty}
        summary={({ first, last, total }) => words('policies.range', { first, last, total })}
        perPage={{
          label: words('policies.per_page'),
          sizes: pageSizes.map(size => ({ value: String(size), label: words('policies.a_page', { size }) })),
          value: String(request.perPage),
          fallback: '10',
        }}
      >
        <Filters params={params} onFilter={filter} />
      </ListScreen>
      <SelectedBar
        rows={[...selected.values()]}
        exporting={exporting}
        onSend={() => setSending([...selected.values()])}
        onExport={() => void exportList({ page: 1, policyUuids: [...selected.keys()] })}
        onDelete={() => void deleteBudgets([...selected.values()], words).then(deselect)}
        onNone={() => setSelected(new Map())}
      />
      {sending && <SendDialog rows={sending} onClose={() => setSending(undefined)} />}
      {params.policy && (
        <PolicyDrawer key={params.policy} policyUuid={params.policy} onDeleted={deselect} onClose={() => show({ policy: undefined })} />
      )}
    </Page>
  )
}

/** Returns the selected rows, each once, including those of other pages. */
const rowsOf = (chosen: ReadonlySet<string>, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.filter(({ policyUuid }) => chosen.has(policyUuid)).map(row => [row.policyUuid, row]))

function useEmpty(kind: Kind, isFiltered: boolean, onAll: () => void) {
  const { words } = useWords()
  const navigate = useNavigate()
  const maySell = useMay('b2b-products-sell')
  if (isFiltered)
    return {
      icon: 'search',
      title: words('policies.none_found'),
      hint: words('policies.none_found_hint'),
      action: (
        <Button look="quiet" onClick={onAll}>
          {words('policies.show_all')}
        </Button>
      ),
    } as const
  return {
    icon: kind === 'purchased' ? 'receipt' : 'bookmark',
    title: words(kind === 'purchased' ? 'policies.none_sold' : 'policies.none_saved'),
    hint: words(kind === 'purchased' ? 'policies.none_sold_hint' : 'policies.none_saved_hint'),
    action: maySell && (
      <Button icon="shield" onClick={() => void navigate({ to: '/products', search: {} })}>
        {words('shell.menu.insurances')}
      </Button>
    ),
  } as const
}
