import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { toastError } from '#portal/kit/overlay/report-error.ts'
import { setMisfiled, setTicketStatus } from '#common/tickets/calls.ts'
import type { TicketStatus } from '#common/tickets/states.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { SidePanel, type Step } from '#portal/kit/overlay/side-panel.tsx'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { type TicketDetail, type TicketRow, ticketsChanged, useTicket } from '../use-tickets.ts'
import { Reply } from './reply.tsx'
import { StatusBadge, statusWords } from './status-badge.tsx'
import { FileList, Thread } from './thread.tsx'

type Props = {
  ticketUuid: string
  /** The ticket's row in the list, shown until the details are loaded. */
  row: TicketRow | undefined
  /** The list's title, for the drawer as a page of its own. */
  alone?: string
  onStep: Step | undefined
  onAlone?: () => void
  onClose: () => void
}

/** One ticket with its messages, beside the list or as a page. Its URL opens it again. */
export function TicketDrawer({ ticketUuid, row, ...panel }: Props) {
  const { words } = useWords()
  const { data, error, refetch } = useTicket(ticketUuid)
  const ticket = data?.ticket ?? row
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <SidePanel
      {...panel}
      of={ticketUuid}
      title={ticket?.reference ?? words('tickets.ticket')}
      state={ticket && <StatusBadge status={ticket.status} />}
      actions={
        data && (
          <>
            <div ref={setFoot} className="contents" />
            <Status detail={data} />
          </>
        )
      }
    >
      {ticket && (
        <div>
          <h3 className="text-xl font-semibold wrap-anywhere">{ticket.subject}</h3>
          <p className="text-quiet">{ticket.type}</p>
        </div>
      )}
      {data && (
        <>
          <Summary detail={data} />
          <Action detail={data} />
          {data.ticket.kind === 'claim' && <Misfiled detail={data} />}
          <Thread detail={data} />
          <Reply key={ticketUuid} ticketUuid={ticketUuid} foot={foot} />
        </>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      )}
      {!data && error && <LoadError error={error} retry={() => void refetch()} />}
    </SidePanel>
  )
}

function Summary({ detail }: { detail: TicketDetail }) {
  const { words } = useWords()
  const { date, moment } = useFormat()
  const maySeePolicies = useMay('b2b-policies-sold-view')
  const { ticket, incidentDate, contactEmail, contactPhone, createdBy, policyUuid, answers, description, files, outsideCover } = detail
  return (
    <section aria-label={ticket.subject} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {outsideCover.length > 0 && (
        <Callout tone="warning" title={words('tickets.outside_note')}>
          {outsideCover.map(reason => (
            <p key={reason}>{reason}</p>
          ))}
        </Callout>
      )}
      <Properties wide={answers.length > 0}>
        <Property name={words('tickets.policy')}>
          {policyUuid && maySeePolicies ? (
            <Link to="/policies" search={{ policy: policyUuid }} className="underline underline-offset-4">
              {ticket.policyNumber}
            </Link>
          ) : (
            ticket.policyNumber
          )}
        </Property>
        <Property name={words('tickets.incident_date')}>{incidentDate && date(incidentDate)}</Property>
        <Property name={words('tickets.contact')}>{[contactEmail, contactPhone].filter(Boolean).join(' · ')}</Property>
        <Property name={words('tickets.sent_by')}>{`${createdBy} · ${moment(ticket.createdAt)}`}</Property>
      </Properties>
      <p className="rounded-md bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line">{description}</p>
      {answers.length > 0 && (
        <Properties wide>
          {answers.map(({ name, label, text }) => (
            <Property key={name} name={label}>
              {text}
            </Property>
          ))}
        </Properties>
      )}
      <FileList files={files} />
    </section>
  )
}

/** Links a request to change or end a policy to the desk that does it. Back returns to the request. */
function Action({ detail: { policyUuid, typeKey } }: { detail: TicketDetail }) {
  const { words } = useWords()
  const mayChange = useMay('b2b-policies-change')
  const action = actions.get(typeKey)
  if (!mayChange || !policyUuid || !action) return null
  return (
    <Link to="/policies" search={{ policy: policyUuid, desk: action.desk }} className={`justify-self-start ${buttonLook('quiet')}`}>
      <Icon name={action.icon} /> {words(action.label)}
    </Link>
  )
}

/** The desks by the keys of the catalogue's ticket types. */
const actions = new Map<string, { desk: string; icon: IconName; label: 'tickets.open_change' | 'tickets.open_cancel' }>([
  ['change', { desk: 'change', icon: 'pencil', label: 'tickets.open_change' }],
  ['refund', { desk: 'cancel', icon: 'calendar-x', label: 'tickets.open_cancel' }],
])

/** Shows that a claim was filed by mistake. Support sets and removes this mark. */
function Misfiled({ detail: { ticket, misfiled } }: { detail: TicketDetail }) {
  const { words } = useWords()
  const isSupport = useMay('b2b-admin')
  async function mark() {
    await ask(setMisfiled, { uuid: ticket.ticketUuid, misfiled: !misfiled }).catch(toastError)
    await ticketsChanged()
  }
  const button = isSupport && (
    <Button look="quiet" onClick={() => void mark()}>
      {words(misfiled ? 'tickets.not_misfiled' : 'tickets.mark_misfiled')}
    </Button>
  )
  if (!misfiled) return button
  return (
    <Callout tone="info" title={words('tickets.misfiled')}>
      <p>{words('tickets.misfiled_note')}</p>
      {button}
    </Callout>
  )
}

/** Closes or reopens the ticket; support sets any status. */
function Status({ detail: { ticket, statuses } }: { detail: TicketDetail }) {
  const { words } = useWords()
  async function set(status: TicketStatus) {
    try {
      await ask(setTicketStatus, { uuid: ticket.ticketUuid, status })
    } catch (error) {
      toastError(error)
    }
    await ticketsChanged()
  }
  const [only] = statuses
  if (statuses.length === 1 && only)
    return (
      <Button look="quiet" icon={only === 'closed' ? 'check' : 'repeat'} onClick={() => void set(only)}>
        {words(only === 'closed' ? 'tickets.close' : 'tickets.reopen')}
      </Button>
    )
  return (
    <Select
      label={words('tickets.status')}
      hideLabel
      name="status"
      value={ticket.status}
      // Safe: the options are statuses.
      onChange={status => void set(status as TicketStatus)}
      options={[ticket.status, ...statuses].map(status => ({ value: status, label: words(statusWords[status]) }))}
    />
  )
}
