import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { RequestSentOf } from '#common/kit/call.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { deletePolicyView, policyViews, savePolicyView } from '#common/policies/views/calls.ts'
import { type BuiltInView, builtInViews, viewParams } from '#common/policies/views/views.ts'
import { ask } from '#portal/kit/ask.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { useStep } from '#portal/kit/list/rows.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import type { Step } from '#portal/kit/overlay/side-panel.tsx'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { loadingOf } from '#portal/kit/queries.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { KeyHints } from '#portal/kit/page/key-hints.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import type { ViewedList } from '#portal/views/use-views.ts'
import { ViewTabs } from '#portal/views/view-tabs.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { DayBesideTitle } from './day/day-beside-title.tsx'
import { Earned } from './day/earned.tsx'
import { deleteBudgets } from './quote-actions.ts'
import { type PartsQuery, PolicyDrawer } from './detail/policy-drawer.tsx'
import { ColumnsMenu, hiddenColumns, showColumns, useColumns, useFoot, useLines } from './list/columns.tsx'
import { Filters } from './list/filters.tsx'
import { SelectedBar } from './list/selected-bar.tsx'
import { isUnfiltered, orderParams, pageSizes, type PolicyParam, type PolicyParams, policyTitle, type Row, sortIn } from './list-params.ts'
import { isSendable } from './price-until.tsx'
import { SendDialog } from './send/sending.ts'
import { type Kind, usePolicies } from './use-policies.ts'

const FoundElsewhere = lazy(() => import('./list/found-elsewhere.tsx').then(({ FoundElsewhere }) => ({ default: FoundElsewhere })))

/** The changes of a sold policy, from a feature that imports policies. */
export type AfterSale = {
  /** The desk that replaces the details. */
  desk: (frame: { policyUuid: string; alone: string | undefined; onStep: Step | undefined; onClose: () => void }) => ReactNode
}

type Props = { kind: Kind; parts: PartsQuery; afterSale?: AfterSale }

/** Finds, opens, sends, exports and deletes policies or saved quotes. With `as=page` in the URL, only one of them. */
export function PoliciesPage({ kind, parts, afterSale }: Props) {
  const { words } = useWords()
  const { params, show } = useListParams<PolicyParam>()
  if (!params.policy || params.as !== 'page') return <PolicyList kind={kind} parts={parts} {...(afterSale ? { afterSale } : {})} />
  const toList = () => show({ ...noDesk, policy: undefined, as: undefined }, { resetScroll: true })
  const title = words(kind === 'purchased' ? 'shell.menu.policies' : 'shell.menu.budget')
  if (afterSale && params.desk)
    return afterSale.desk({ policyUuid: params.policy, alone: title, onStep: undefined, onClose: () => show(noDesk) })
  return (
    <PolicyDrawer
      alone={title}
      policyUuid={params.policy}
      row={undefined}
      onStep={undefined}
      onDeleted={() => undefined}
      onClose={toList}
      onDesk={afterSale && (desk => show({ desk }))}
      sends={params.desk === 'send'}
      onSent={() => show(noDesk)}
      parts={parts}
    />
  )
}

/** Another policy opens without the previous one's desk. */
const noDesk = { desk: undefined, next: undefined, version: undefined, with: undefined }

function PolicyList({ kind, parts, afterSale }: Props) {
  const { words } = useWords()
  const { params, filter, show, follow, turnTo, switchTo } = useListParams<PolicyParam>()
  const { list, request, totals } = usePolicies(kind, params)
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const [sending, setSending] = useState<readonly Row[]>()
  /** True on a phone while rows are being selected. */
  const [marking, setMarking] = useState(false)
  const { busy, download } = useDownload()
  const exporting = busy === 'list'
  const maySeeSales = useMay('b2b-agency-view')
  const mayChange = useMay('b2b-policies-change')
  const maySell = useMay('b2b-products-sell')
  const makesLinks = kind === 'budgeted' && maySell
  const views = usePolicyViews(kind)
  const columns = useColumns(kind)
  const lines = useLines()
  const foot = useFoot(kind, list.info, totals)
  const empty = useEmpty(kind, params, () => switchTo({}))
  // True even while the rows load, so that nothing moves when they arrive.
  const hasRows = list.info?.total !== 0
  const title = words(kind === 'purchased' ? 'shell.menu.policies' : 'shell.menu.budget')
  const onFollow = ({ policyUuid }: Row) => follow({ ...noDesk, policy: policyUuid })
  const onStep = useStep(list, { keyOf, open: params.policy, onFollow, turnTo })

  const openDesk = (policyUuid: string, desk: string) => show({ ...noDesk, policy: policyUuid, desk })
  /** A single saved quote is sent from its details, which have its documents, address and link. */
  function send(rows: readonly Row[]) {
    const [first, ...others] = rows
    if (first && makesLinks && others.length === 0) openDesk(first.policyUuid, 'send')
    else setSending(rows)
  }
  const keys: Record<string, (row: Row) => void> = {
    [shortcuts.mail]: row => isSendable(row) && send([row]),
    ...(makesLinks ? { [shortcuts.offer]: (row: Row) => isSendable(row) && send([row]) } : {}),
    ...(afterSale && mayChange
      ? {
          [shortcuts.change]: ({ policyUuid, status }: Row) => openDesk(policyUuid, status === 'cancelled' ? 'reinstate' : 'change'),
          [shortcuts.cancel]: ({ policyUuid, status }: Row) => status === 'purchased' && openDesk(policyUuid, 'cancel'),
        }
      : {}),
  }

  /** Deleted quotes are no longer selected, wherever they were deleted. */
  function deselect(deleted: readonly Row[]) {
    const uuids = new Set(deleted.map(({ policyUuid }) => policyUuid))
    setSelected(before => new Map([...before].filter(([uuid]) => !uuids.has(uuid))))
  }
  const exportList = () => void download(listPolicies, { ...request, export: true }, 'list')
  async function exportMarked(policyUuids: string[]) {
    if (!(await download(listPolicies, { ...request, page: 1, policyUuids, export: true }, 'marked'))) return
    showToast({ severity: 'success', summary: words('policies.exported', { count: policyUuids.length }) })
  }
  return (
    <Page
      title={title}
      beside={
        kind === 'purchased' && (
          <ErrorBoundary>
            <DayBesideTitle />
          </ErrorBoundary>
        )
      }
      actions={kind === 'purchased' && maySeeSales && <Earned />}
    >
      <ViewTabs list={views} params={params} onSwitch={view => switchTo({ ...view, perPage: params.perPage })} hints={<ListKeys />}>
        <ListScreen
          caption={title}
          list={list}
          columns={columns}
          expected={request.perPage ?? 10}
          keyOf={keyOf}
          lines={lines}
          foot={foot}
          sort={sortIn(params)}
          onOpen={({ policyUuid }) => (params.policy ? follow : show)({ ...noDesk, policy: policyUuid })}
          open={params.policy}
          onFollow={onFollow}
          keys={keys}
          selection={{
            chosen: new Set(selected.keys()),
            onChange: chosen => setSelected(before => rowsOf(chosen, [...before.values(), ...(list.rows ?? [])])),
            started: marking,
            nameOf: row => words('policies.select', { name: row.policyNumber || policyTitle(row) }),
          }}
          empty={empty}
          summary={({ first, last, total }) =>
            list.info?.totalIsExact ? words('policies.range', { first, last, total }) : words('policies.range_counting', { first, last })
          }
          perPage={{
            label: words('policies.per_page'),
            sizes: pageSizes.map(size => ({ value: String(size), label: words('policies.a_page', { size }) })),
            value: String(request.perPage),
            fallback: '10',
          }}
        >
          <Filters kind={kind} params={params} onFilter={filter}>
            <ColumnsMenu kind={kind} />
            {hasRows && (
              <Button look="plain" icon="download" busy={exporting} onClick={exportList} className="max-sm:hidden">
                {words('policies.export')}
              </Button>
            )}
            {hasRows && (
              <Menu
                label={words('policies.more')}
                items={[
                  { label: words('policies.select_rows'), onSelect: () => setMarking(true) },
                  { label: words('policies.export'), onSelect: exportList },
                ]}
              >
                {trigger => <IconButton {...trigger} icon="more" label={words('policies.more')} busy={exporting} className="sm:hidden" />}
              </Menu>
            )}
          </Filters>
        </ListScreen>
      </ViewTabs>
      <SelectedBar
        rows={[...selected.values()]}
        beside={params.policy !== undefined}
        onSend={() => send([...selected.values()])}
        sendKeys={makesLinks && !params.policy ? shortcuts.offer : undefined}
        onDownload={() => saveAll([...selected.values()], words)}
        onExport={() => exportMarked([...selected.keys()])}
        onDelete={() => void deleteBudgets([...selected.values()], words).then(deselect)}
        onNone={() => {
          setMarking(false)
          setSelected(new Map())
        }}
      />
      {sending && <SendDialog rows={sending} onClose={() => setSending(undefined)} />}
      {params.policy &&
        afterSale &&
        params.desk &&
        afterSale.desk({ policyUuid: params.policy, alone: undefined, onStep, onClose: () => show(noDesk) })}
      {params.policy && !(afterSale && params.desk) && (
        <PolicyDrawer
          policyUuid={params.policy}
          row={list.rows?.find(row => keyOf(row) === params.policy)}
          onStep={onStep}
          onAlone={() => show({ as: 'page' }, { resetScroll: true })}
          onDeleted={deselect}
          onClose={() => show({ policy: undefined })}
          onDesk={afterSale && (desk => show({ desk }))}
          sends={params.desk === 'send'}
          onSent={() => show(noDesk)}
          parts={parts}
        />
      )}
    </Page>
  )
}

function ListKeys() {
  const { words } = useWords()
  return (
    <KeyHints
      place="list"
      className="ml-auto shrink-0 max-xl:hidden"
      hints={[
        { keys: ['j', 'k'], label: words('policies.key_row') },
        { keys: ['x'], label: words('policies.key_mark') },
        { keys: ['Enter'], label: words('policies.key_open') },
      ]}
    />
  )
}

const keyOf = ({ policyUuid }: Row): string => policyUuid

async function saveAll(rows: readonly Row[], words: Words): Promise<void> {
  const { saveDocuments } = await import('./save-documents.ts')
  await saveDocuments(rows, words)
}

/** Returns the selected rows, each once, including those of other pages. */
const rowsOf = (chosen: ReadonlySet<string>, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.filter(({ policyUuid }) => chosen.has(policyUuid)).map(row => [row.policyUuid, row]))

function useEmpty(kind: Kind, params: PolicyParams, onAll: () => void) {
  const { words } = useWords()
  const navigate = useNavigate()
  const maySell = useMay('b2b-products-sell')
  if (params.search || !isUnfiltered(params))
    return {
      icon: 'search',
      title: words('policies.none_found'),
      hint: words('policies.none_found_hint'),
      action: (
        <div className="flex flex-wrap items-center gap-3">
          <Suspense>{params.search && <FoundElsewhere search={params.search} />}</Suspense>
          <Button look="quiet" onClick={onAll}>
            {words('policies.show_all')}
          </Button>
        </div>
      ),
    } as const
  return {
    icon: kind === 'purchased' ? 'receipt' : 'bookmark',
    title: words(kind === 'purchased' ? 'policies.none_sold' : 'policies.none_saved'),
    hint: words(kind === 'purchased' ? 'policies.none_sold_hint' : 'policies.none_saved_hint'),
    action: maySell && (
      <Button look="quiet" icon="shield" onClick={() => void navigate({ to: '/products', search: {} })}>
        {words('shell.menu.insurances')}
      </Button>
    ),
  } as const
}

/** The labels of the built-in views. In some languages, policies and quotes differ in gender. */
const labels = {
  all: { purchased: 'policies.view_sold', budgeted: 'policies.view_all_saved' },
  leaving: { purchased: 'policies.view_leaving', budgeted: 'policies.view_leaving' },
  returning: { purchased: 'policies.view_returning', budgeted: 'policies.view_returning' },
  mine: { purchased: 'policies.view_mine', budgeted: 'policies.view_mine_saved' },
  cancelled: { purchased: 'policies.view_cancelled', budgeted: 'policies.view_cancelled' },
  unpaid: { purchased: 'policies.view_unpaid', budgeted: 'policies.view_unpaid' },
} as const satisfies Record<BuiltInView, Record<Kind, string>>

function usePolicyViews(list: Kind): ViewedList {
  const { words } = useWords()
  return {
    key: ['policies', 'views', list],
    builtIn: builtInViews[list].map(({ id, params }) => ({ id, params, label: words(labels[id][list]) })),
    paramNames: viewParams,
    orderNames: orderParams,
    hint: words('policies.view_hint'),
    load: exact => loadingOf(policyViews, { list, ...(exact ? { exact } : {}) }),
    // Safe: the service refuses anything that is not a view's.
    save: view => ask(savePolicyView, { list, ...view } as RequestSentOf<typeof savePolicyView>),
    remove: viewUuid => ask(deletePolicyView, { viewUuid }),
    columns: { hidden: () => hiddenColumns(list), show: hidden => showColumns(list, hidden) },
  }
}
