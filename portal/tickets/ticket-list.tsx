import type { TicketKind } from '#common/products/tickets.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { ListChange, ListParams } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { SearchFilter } from '#portal/kit/list/search-filter.tsx'
import type { Column } from '#portal/kit/list/table.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { StatusBadge } from './detail/status-badge.tsx'
import { type TicketParam, type TicketRow, useTickets } from './use-tickets.ts'

type Props = {
  kind: TicketKind
  params: ListParams<TicketParam>
  onFilter: (filters: ListChange<TicketParam>) => void
  onOpen: (ticketUuid: string) => void
  onWrite: () => void
}

export function TicketList({ kind, params, onFilter, onOpen, onWrite }: Props) {
  const { words } = useWords()
  const list = useTickets(kind, params)
  const columns = useColumns()
  const empty = useEmpty(kind, Boolean(params.search), onWrite, () => onFilter({ search: undefined }))
  return (
    <ListScreen
      caption={words(kind === 'claim' ? 'shell.menu.claims' : 'shell.menu.customer_service')}
      list={list}
      columns={columns}
      keyOf={({ ticketUuid }) => ticketUuid}
      onOpen={({ ticketUuid }) => onOpen(ticketUuid)}
      empty={empty}
    >
      <SearchFilter
        label={words('tickets.search')}
        hideLabel
        name="searchData"
        text={params.search}
        onText={search => onFilter({ search })}
        className="max-w-md"
      />
    </ListScreen>
  )
}

function useEmpty(kind: TicketKind, isFiltered: boolean, onWrite: () => void, onAll: () => void) {
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
    action: (
      <Button look="quiet" icon="plus" onClick={onWrite}>
        {words(isClaim ? 'tickets.new_claim' : 'tickets.new_request')}
      </Button>
    ),
  } as const
}

function useColumns(): Column<TicketRow>[] {
  const { words } = useWords()
  const { moment } = useFormat()
  return [
    {
      key: 'reference',
      head: words('tickets.reference'),
      cell: row => (
        <span className="flex items-center gap-2">
          <span className={row.unread > 0 ? 'font-semibold' : ''}>{row.reference}</span>
          {row.unread > 0 && <Badge tone="accent">{words('tickets.unread', { count: row.unread })}</Badge>}
        </span>
      ),
    },
    { key: 'type', head: words('tickets.type'), cell: ({ type }) => type },
    {
      key: 'subject',
      head: words('tickets.subject'),
      cell: row => <span className={row.unread > 0 ? 'font-semibold' : ''}>{row.subject}</span>,
    },
    { key: 'policyNumber', head: words('tickets.policy'), cell: ({ policyNumber }) => policyNumber ?? '–', hide: 'medium' },
    { key: 'status', head: words('tickets.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'messages', head: words('tickets.messages'), cell: ({ messages }) => messages, align: 'end', hide: 'medium' },
    { key: 'updatedAt', head: words('tickets.updated'), cell: ({ updatedAt }) => moment(updatedAt), hide: 'narrow' },
  ]
}
