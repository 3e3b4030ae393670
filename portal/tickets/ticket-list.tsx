import { lazy, Suspense } from 'react'
import { idIn } from '#common/kit/call.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import { ticketStatuses } from '#common/tickets/states.ts'
import { deleteTicketView, saveTicketView, ticketViews } from '#common/tickets/calls.ts'
import { builtInTicketViews, ticketConditions, ticketViewParams } from '#common/tickets/views.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { oneOf, useListParams } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { SearchFilter } from '#portal/kit/list/search-filter.tsx'
import type { Column, Lines } from '#portal/kit/list/table-parts.tsx'
import { useStep } from '#portal/kit/list/rows.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge } from '#portal/kit/ui/card.tsx'
import type { ViewedList, ViewParams } from '#portal/views/use-views.ts'
import { ViewTabs } from '#portal/views/view-tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { StatusBadge, statusWords } from './detail/status-badge.tsx'
import { TicketFilters } from './ticket-filters.tsx'
import { refreshMs, type TicketParam, type TicketRow, useTickets } from './use-tickets.ts'

export const TicketDrawer = lazy(() => import('./detail/ticket-drawer.tsx').then(({ TicketDrawer }) => ({ default: TicketDrawer })))

/** The tickets of one kind by their status, and the open one beside them. */
export function TicketList({ kind, title }: { kind: TicketKind; title: string }) {
  const { words } = useWords()
  const { params, filter, show, follow, turnTo } = useListParams<TicketParam>()
  const list = useTickets(kind, params)
  const columns = useColumns()
  const lines = useLines()
  const views = useTicketViews(kind)
  const { status, typeUuid, mine } = ticketConditions(kind, params)
  const isFiltered = Boolean(params.search ?? status ?? typeUuid ?? mine)
  const empty = useEmpty(kind, isFiltered, () => filter({ search: undefined, ...unfiltered }))
  const onFollow = ({ ticketUuid }: TicketRow) => follow({ ticket: ticketUuid })
  const onStep = useStep(list, { keyOf, open: params.ticket, onFollow, turnTo })
  return (
    <>
      <ViewTabs list={views} params={params} onSwitch={view => filter({ ...unfiltered, ...view })}>
        <ListScreen
          caption={title}
          list={list}
          columns={columns}
          lines={lines}
          keyOf={keyOf}
          onOpen={({ ticketUuid }) => (params.ticket ? follow : show)({ ticket: ticketUuid })}
          open={params.ticket}
          onFollow={onFollow}
          empty={empty}
        >
          <div className="flex flex-wrap items-center gap-2">
            <SearchFilter
              label={words('tickets.search')}
              hideLabel
              name="searchData"
              text={params.search}
              onText={search => filter({ search })}
              className="min-w-48 flex-1 sm:max-w-88"
            />
            <TicketFilters kind={kind} params={params} onFilter={filter} />
          </div>
        </ListScreen>
      </ViewTabs>
      <Suspense>
        {params.ticket && (
          <TicketDrawer
            ticketUuid={params.ticket}
            row={list.rows?.find(row => keyOf(row) === params.ticket)}
            onStep={onStep}
            onAlone={() => show({ as: 'page' }, { resetScroll: true })}
            onClose={() => show({ ticket: undefined })}
          />
        )}
      </Suspense>
    </>
  )
}

/** The filters of a view, cleared. The search is kept, as it is not part of one. */
const unfiltered = { status: undefined, topic: undefined, by: undefined }

const keyOf = ({ ticketUuid }: TicketRow): string => ticketUuid

function useEmpty(kind: TicketKind, isFiltered: boolean, onAll: () => void) {
  const { words } = useWords()
  if (isFiltered)
    return {
      icon: 'search',
      title: words('tickets.none_found'),
      action: (
        <Button look="quiet" onClick={onAll}>
          {words('tickets.show_all')}
        </Button>
      ),
    } as const
  const isClaim = kind === 'claim'
  return {
    icon: isClaim ? 'alert-circle' : 'lifebuoy',
    title: words(isClaim ? 'tickets.no_claims' : 'tickets.no_requests'),
    hint: words(isClaim ? 'tickets.no_claims_hint' : 'tickets.no_requests_hint'),
  } as const
}

function useColumns(): Column<TicketRow>[] {
  const { words } = useWords()
  const maySeePolicies = useMay('b2b-policies-sold-view')
  const { moment } = useFormat()
  const quiet = (text: string) => <span className="text-quiet">{text}</span>
  return [
    {
      key: 'subject',
      wide: 30,
      head: words('tickets.subject'),
      cell: row => (
        <span className="flex items-center gap-2">
          <span className={`truncate ${row.unread > 0 ? '' : 'font-normal'}`}>{row.subject}</span>
          <Unread row={row} />
        </span>
      ),
    },
    ...(maySeePolicies
      ? [{ key: 'policyholder', wide: 16, head: words('tickets.taker'), cell: ({ policyholder }: TicketRow) => policyholder ?? '' }]
      : []),
    { key: 'type', wide: 18, head: words('tickets.type'), cell: ({ type }) => quiet(type), hide: 48 },
    { key: 'status', wide: 12, head: words('tickets.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'policyNumber', wide: 9, head: words('tickets.policy'), cell: ({ policyNumber }) => quiet(policyNumber ?? ''), hide: 64 },
    {
      key: 'messages',
      wide: 4,
      head: words('tickets.messages'),
      cell: ({ messages }) => quiet(String(messages)),
      align: 'end',
      hide: 64,
    },
    { key: 'updatedAt', wide: 16, head: words('tickets.updated'), cell: ({ updatedAt }) => quiet(moment(updatedAt)) },
    {
      key: 'reference',
      wide: 13,
      head: words('tickets.reference'),
      cell: ({ reference }) => <span className="text-sm text-faint">{reference}</span>,
    },
  ]
}

/** Returns the two lines of a row on a phone. */
function useLines(): (row: TicketRow) => Lines {
  const { moment } = useFormat()
  return row => ({
    title: row.subject,
    end: <Unread row={row} />,
    // A narrow phone cuts off the reference, which few users need.
    detail: [row.policyholder, moment(row.updatedAt), row.type, row.reference].filter(Boolean).join(' · '),
    state: <StatusBadge status={row.status} />,
  })
}

function Unread({ row: { unread } }: { row: TicketRow }) {
  const { words } = useWords()
  return unread > 0 && <Badge tone="accent">{words('tickets.unread', { count: unread })}</Badge>
}

/** The views of claims, or of requests to customer service. */
function useTicketViews(list: TicketKind): ViewedList {
  const { words } = useWords()
  const labels = {
    ...statusWords,
    all: 'tickets.view_all',
    mine: list === 'claim' ? 'tickets.view_mine' : 'tickets.view_mine_requests',
  } as const
  return {
    key: ['tickets', 'views', list],
    builtIn: builtInTicketViews.map(({ id, params }) => ({ id, params, label: words(labels[id]) })),
    paramNames: ticketViewParams,
    orderNames: [],
    refreshMs,
    hint: words('tickets.view_hint'),
    load: exact => loadingOf(ticketViews, { list, ...(exact ? { exact } : {}) }),
    save: ({ name, params }) => ask(saveTicketView, { list, name, params: savedParams(params) }),
    remove: viewUuid => ask(deleteTicketView, { viewUuid }),
  }
}

/** Leaves out filters that the list does not have. */
const savedParams = ({ status, topic, by }: ViewParams) => ({
  status: oneOf(ticketStatuses, status),
  topic: idIn(topic),
  by: oneOf(['me'], by),
})
