import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { TicketKind } from '#common/products/tickets.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge, Callout, Card, EmptyState } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Page } from '#portal/kit/ui/page.tsx'
import { Pagination } from '#portal/kit/ui/pagination.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { type Column, Table } from '#portal/kit/ui/table.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { StatusBadge } from './detail/status-badge.tsx'
import { dropDraft, isAboutAnother, isBegun, useDrafts } from './draft.ts'
import { FiledCard } from './form/filed.tsx'
import type { Filed } from './form/ticket-form.tsx'
import { type Look, type TicketRow, useForms, useTickets } from './use-tickets.ts'

/** What a list does not need comes when it is asked for. */
const loadForm = () => import('./form/ticket-form.tsx')
const WriteTicket = lazy(() => loadForm().then(({ WriteTicket }) => ({ default: WriteTicket })))
const TicketDrawer = lazy(() => import('./detail/ticket-drawer.tsx').then(({ TicketDrawer }) => ({ default: TicketDrawer })))

/** Claims, or requests to customer service: those there are, one of them, or a new one. What is looked at stands in the address. */
export function TicketsPage({ kind }: { kind: TicketKind }) {
  const { words } = useWords()
  const look: Look = useSearch({ strict: false })
  const navigate = useNavigate()
  const [filed, setFiled] = useState<Filed>()
  const writes = (look.write ?? look.policy) !== undefined
  const show = (change: { [name in keyof Look]?: string | undefined }) =>
    void navigate({
      to: '.',
      search: before => clean({ ...before, ...change }),
      replace: 'search' in change,
      resetScroll: 'write' in change || 'page' in change,
    })
  const write = () => {
    setFiled(undefined)
    show({ write: 'new', ticket: undefined })
  }
  return (
    <Page
      title={words(kind === 'claim' ? 'shell.menu.claims' : 'shell.menu.customer_service')}
      intro={words(kind === 'claim' ? 'tickets.claims_intro' : 'tickets.requests_intro')}
      actions={
        !writes && (
          <Button icon="plus" onClick={write} onPointerEnter={() => void loadForm()}>
            {words(kind === 'claim' ? 'tickets.new_claim' : 'tickets.new_request')}
          </Button>
        )
      }
    >
      {filed && !writes && <FiledCard filed={filed} onOpen={() => show({ ticket: filed.ticketUuid })} />}
      {writes ? (
        <Writing
          key={look.policy}
          kind={kind}
          policyUuid={look.policy}
          onGoOn={() => show({ write: 'new', policy: undefined })}
          onCancel={() => show({ write: undefined, policy: undefined })}
          onFiled={now => {
            setFiled(now)
            show({ write: undefined, policy: undefined })
          }}
        />
      ) : (
        <List kind={kind} look={look} onLook={show} onWrite={write} />
      )}
      <Suspense>
        {look.ticket && <TicketDrawer key={look.ticket} ticketUuid={look.ticket} onClose={() => show({ ticket: undefined })} />}
      </Suspense>
    </Page>
  )
}

const clean = (look: { [name in keyof Look]?: string | undefined }): Look =>
  Object.fromEntries(Object.entries(look).filter(([, value]) => value)) as Look

type WritingProps = {
  kind: TicketKind
  policyUuid: string | undefined
  onGoOn: () => void
  onCancel: () => void
  onFiled: (filed: Filed) => void
}

function Writing({ kind, onGoOn, ...rest }: WritingProps) {
  const { words } = useWords()
  const { forms, error, refetch } = useForms(kind)
  const { policyUuid } = rest
  // What was begun about one policy is not filed about another: it is gone on with, or discarded, first.
  const [stands, setStands] = useState(() => policyUuid !== undefined && isAboutAnother(useDrafts.getState()[kind], policyUuid))
  if (stands) return <DraftLeft kind={kind} onGoOn={onGoOn} onDrop={() => setStands(false)} />
  if (forms)
    return (
      <Suspense fallback={<FormToCome />}>
        <WriteTicket kind={kind} forms={forms} {...rest} />
      </Suspense>
    )
  if (error)
    return (
      <EmptyState
        icon="alert-circle"
        title={words('tickets.not_loaded')}
        action={
          <Button look="quiet" icon="repeat" onClick={() => void refetch()}>
            {words('shell.try_again')}
          </Button>
        }
      />
    )
  return <FormToCome />
}

const FormToCome = () => (
  <Loading className="max-w-4xl">
    <Card>
      <Skeleton className="h-96 w-full" />
    </Card>
  </Loading>
)

type ListProps = {
  kind: TicketKind
  look: Look
  onLook: (change: { [name in keyof Look]?: string | undefined }) => void
  onWrite: () => void
}

function List({ kind, look, onLook, onWrite }: ListProps) {
  const { words } = useWords()
  const { data, error, busy, again } = useTickets(kind, look)
  const columns = useColumns()
  const rows = data?.tickets ?? (error ? [] : undefined)
  return (
    <>
      <DraftLeft kind={kind} onGoOn={onWrite} />
      <div className="max-w-md">
        <Search text={look.search ?? ''} onText={search => onLook({ search, page: undefined })} />
      </div>
      <Table
        caption={words(kind === 'claim' ? 'shell.menu.claims' : 'shell.menu.customer_service')}
        columns={columns}
        rows={rows}
        keyOf={({ ticketUuid }) => ticketUuid}
        onOpen={({ ticketUuid }) => onLook({ ticket: ticketUuid })}
        busy={busy}
        empty={
          <Nothing
            kind={kind}
            isFailed={error !== null}
            isFiltered={Boolean(look.search)}
            onWrite={onWrite}
            onAll={() => onLook({ search: undefined })}
            onAgain={again}
          />
        }
      />
      {data && (
        <Pagination page={data.page} pages={data.totalPages} onPage={page => onLook({ page: page === 1 ? undefined : String(page) })} />
      )}
    </>
  )
}

type NothingProps = {
  kind: TicketKind
  isFailed: boolean
  isFiltered: boolean
  onWrite: () => void
  onAll: () => void
  onAgain: () => void
}

function Nothing({ kind, isFailed, isFiltered, onWrite, onAll, onAgain }: NothingProps) {
  const { words } = useWords()
  if (isFailed)
    return (
      <EmptyState
        icon="alert-circle"
        title={words('tickets.not_loaded')}
        action={
          <Button look="quiet" icon="repeat" onClick={onAgain}>
            {words('shell.try_again')}
          </Button>
        }
      />
    )
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        title={words('tickets.none_found')}
        action={
          <Button look="quiet" onClick={onAll}>
            {words('tickets.show_all')}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={kind === 'claim' ? 'alert-circle' : 'lifebuoy'}
      title={words(kind === 'claim' ? 'tickets.no_claims' : 'tickets.no_requests')}
      action={
        <Button look="quiet" icon="plus" onClick={onWrite}>
          {words(kind === 'claim' ? 'tickets.new_claim' : 'tickets.new_request')}
        </Button>
      }
    >
      {words(kind === 'claim' ? 'tickets.no_claims_hint' : 'tickets.no_requests_hint')}
    </EmptyState>
  )
}

/** What was begun and not sent is not lost, nor forced upon anybody. */
function DraftLeft({ kind, onGoOn, onDrop }: { kind: TicketKind; onGoOn: () => void; onDrop?: () => void }) {
  const { words } = useWords()
  const draft = useDrafts(drafts => drafts[kind])
  if (!isBegun(draft)) return null
  const drop = async () => {
    const { discard } = await import('./files/uploads.ts')
    discard(kind, draft.files)
    dropDraft(kind)
    onDrop?.()
  }
  return (
    <Callout tone="info" title={words('tickets.draft_left')}>
      <p>{[draft.form.policyNumber, draft.form.subject].filter(Boolean).join(' · ')}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="quiet" icon="pencil" onClick={onGoOn}>
          {words('tickets.go_on')}
        </Button>
        <Button look="plain" icon="trash" onClick={() => void drop()}>
          {words('tickets.discard')}
        </Button>
      </div>
    </Callout>
  )
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

const restMs = 150

/** Looked for as one types, when the fingers rest for a moment. */
function Search({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { words } = useWords()
  const [typed, setTyped] = useState(text)
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => onText(typed), restMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])
  return (
    <TextField
      label={words('tickets.search')}
      hideLabel
      name="searchData"
      type="search"
      maxLength={200}
      placeholder={words('tickets.search')}
      before={<Icon name="search" className="ml-3 size-4 text-quiet" />}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  )
}
