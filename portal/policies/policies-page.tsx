import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { policyCan } from '#common/policies/states.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { Page } from '#portal/kit/ui/page.tsx'
import { Pagination } from '#portal/kit/ui/pagination.tsx'
import { Table } from '#portal/kit/ui/table.tsx'
import { Contained } from '#portal/kit/error-boundary.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { DayPanel } from './day/day-panel.tsx'
import { deleteBudgets, exportPolicies, told } from './quote-actions.ts'
import { PolicyDrawer } from './detail/policy-drawer.tsx'
import { ColumnsMenu, useColumns } from './list/columns.tsx'
import { Filters } from './list/filters.tsx'
import { SelectedBar } from './list/selected-bar.tsx'
import { clean, type Look, type LookChange, pageSizes, type Row, sortOf } from './list-params.ts'
import { SendDialog } from './send-dialog.tsx'
import { type Kind, usePolicies } from './use-policies.ts'

export const SoldPage = () => <PoliciesPage kind="purchased" />
export const SavedPage = () => <PoliciesPage kind="budgeted" />

/** What was sold, or what waits to be: found, seen, sent. How it is looked at stands in the address. */
function PoliciesPage({ kind }: { kind: Kind }) {
  const { words } = useWords()
  const look: Look = useSearch({ strict: false })
  const navigate = useNavigate()
  const columns = useColumns(kind)
  const { data, error, busy, again, question } = usePolicies(kind, look)
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const [sending, setSending] = useState<readonly Row[]>()
  const [exporting, setExporting] = useState(false)
  useFirstRowKey()
  const rows = data?.policies ?? (error ? [] : undefined)
  const sort = sortOf(look)
  const title = words(kind === 'purchased' ? 'shell.menu.policies' : 'shell.menu.budget')
  const isFiltered = Boolean(look.search ?? look.from ?? look.to)

  /** A page of another list, order or size begins at its first; only a policy and a page are steps to come back from. */
  function show(change: LookChange) {
    const isStep = 'policy' in change || 'page' in change
    const fresh = isStep ? {} : { page: undefined }
    void navigate({ to: '.', search: before => clean({ ...before, ...fresh, ...change }), replace: !isStep, resetScroll: 'page' in change })
  }
  function turn(way: 1 | -1): boolean {
    const page = (data?.page ?? 1) + way
    const isThere = !busy && page >= 1 && page <= (data?.totalPages ?? 1)
    if (isThere) turnTo(page)
    return isThere
  }
  const turnTo = (page: number) => show({ page: page === 1 ? undefined : String(page) })
  /** What is gone is selected no more, wherever it was deleted from. */
  function forget(gone: readonly Row[]) {
    const uuids = new Set(gone.map(({ policyUuid }) => policyUuid))
    setSelected(before => new Map([...before].filter(([uuid]) => !uuids.has(uuid))))
  }
  const beyond = data && data.policies.length === 0 && data.total > 0 ? data.totalPages : undefined
  // An old link, or the last of a page was deleted.
  useEffect(() => {
    if (beyond) void navigate({ to: '.', search: before => clean({ ...before, page: String(beyond) }), replace: true })
  }, [beyond, navigate])
  async function save(of: Partial<typeof question>) {
    setExporting(true)
    await exportPolicies({ ...question, ...of }, words)
    setExporting(false)
  }
  return (
    <Page
      title={title}
      actions={
        <>
          <ColumnsMenu kind={kind} />
          <Button look="quiet" icon="download" busy={exporting} disabled={!data || data.total === 0} onClick={() => void save({})}>
            {words('policies.export')}
          </Button>
        </>
      }
    >
      {kind === 'purchased' && (
        <Contained>
          <DayPanel />
        </Contained>
      )}
      <Filters look={look} onLook={show} />
      <Table
        caption={title}
        columns={columns}
        rows={rows}
        expected={question.perPage ?? 10}
        keyOf={({ policyUuid }) => policyUuid}
        sort={sort}
        onSort={({ key, order }) => show({ sort: key, order })}
        onOpen={({ policyUuid }) => show({ policy: policyUuid })}
        onBeyond={turn}
        keys={{ e: row => policyCan('send', row) && setSending([row]) }}
        selection={{
          chosen: new Set(selected.keys()),
          onChange: chosen => setSelected(before => together([...before.values(), ...(rows ?? [])], chosen)),
          nameOf: row => words('policies.select', { name: row.policyNumber || row.policyTaker || row.productName }),
        }}
        busy={busy}
        empty={
          error ? (
            <EmptyState
              icon="alert-circle"
              title={words('policies.list_failed')}
              action={
                <Button look="quiet" icon="repeat" onClick={again}>
                  {words('shell.try_again')}
                </Button>
              }
            >
              {told(error, words)}
            </EmptyState>
          ) : (
            <Nothing kind={kind} isFiltered={isFiltered} onAll={() => show({ search: undefined, from: undefined, to: undefined })} />
          )
        }
      />
      {data && data.total > 0 && (
        <Foot data={data} onPage={turnTo} onSize={perPage => show({ perPage: perPage === '10' ? undefined : perPage })} />
      )}
      <SelectedBar
        rows={[...selected.values()]}
        exporting={exporting}
        onSend={() => setSending([...selected.values()])}
        onExport={() => void save({ page: 1, policyUuids: [...selected.keys()] })}
        onDelete={() => void deleteBudgets([...selected.values()], words).then(forget)}
        onNone={() => setSelected(new Map())}
      />
      {sending && <SendDialog rows={sending} onClose={() => setSending(undefined)} />}
      {look.policy && (
        <PolicyDrawer key={look.policy} policyUuid={look.policy} onGone={forget} onClose={() => show({ policy: undefined })} />
      )}
    </Page>
  )
}

/** Those of the rows, once each, that are chosen: also from pages that are not shown any more. */
const together = (rows: readonly Row[], chosen: ReadonlySet<string>): ReadonlyMap<string, Row> =>
  new Map(rows.filter(({ policyUuid }) => chosen.has(policyUuid)).map(row => [row.policyUuid, row]))

function Nothing({ kind, isFiltered, onAll }: { kind: Kind; isFiltered: boolean; onAll: () => void }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const maySell = useMay('b2b-products-sell')
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        title={words('policies.none_found')}
        action={
          <Button look="quiet" onClick={onAll}>
            {words('policies.show_all')}
          </Button>
        }
      >
        {words('policies.none_found_hint')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={kind === 'purchased' ? 'receipt' : 'bookmark'}
      title={words(kind === 'purchased' ? 'policies.none_sold' : 'policies.none_saved')}
      action={
        maySell && (
          <Button icon="shield" onClick={() => void navigate({ to: '/products', search: {} })}>
            {words('shell.menu.insurances')}
          </Button>
        )
      }
    >
      {words(kind === 'purchased' ? 'policies.none_sold_hint' : 'policies.none_saved_hint')}
    </EmptyState>
  )
}

type Listed = NonNullable<ReturnType<typeof usePolicies>['data']>

function Foot({ data, onPage, onSize }: { data: Listed; onPage: (page: number) => void; onSize: (size: string) => void }) {
  const { words } = useWords()
  const { number } = useFormat()
  const { page, perPage, total, totalPages, policies } = data
  const first = (page - 1) * perPage + 1
  const range = { first: number(first), last: number(first + Math.max(policies.length, 1) - 1), total: number(total) }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p role="status" className="text-sm text-quiet">
        {words('policies.range', range)}
      </p>
      <Select
        label={words('policies.per_page')}
        hideLabel
        name="perPage"
        className="w-38"
        value={String(perPage)}
        onChange={onSize}
        options={pageSizes.map(size => ({ value: String(size), label: words('policies.a_page', { size }) }))}
      />
      <div className="min-w-60 flex-1">
        <Pagination page={page} pages={totalPages} onPage={onPage} />
      </div>
    </div>
  )
}

/** j and k lead into the list from anywhere on the page; from there the rows have their own keys. */
function useFirstRowKey() {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const isFree = event.target === document.body || (event.target instanceof Element && event.target.id === 'main')
      if (!isFree || event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'j' && event.key !== 'k')) return
      document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]')?.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
