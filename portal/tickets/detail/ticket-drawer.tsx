import { toastError } from '#portal/kit/overlay/report-error.ts'
import type { ReactNode } from 'react'
import { setTicketStatus } from '#common/tickets/calls.ts'
import type { TicketStatus } from '#common/tickets/states.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type TicketDetail, ticketsChanged, useTicket } from '../use-tickets.ts'
import { Reply } from './reply.tsx'
import { StatusBadge, statusWords } from './status-badge.tsx'
import { FileList, Thread } from './thread.tsx'

/** One ticket with its messages, over the list. Its URL opens it again. */
export function TicketDrawer({ ticketUuid, onClose }: { ticketUuid: string; onClose: () => void }) {
  const { words } = useWords()
  const { data, error, refetch } = useTicket(ticketUuid)
  return (
    <Drawer
      open
      onClose={onClose}
      size="large"
      title={data?.ticket.reference ?? words('tickets.ticket')}
      actions={data && <Status detail={data} />}
    >
      {data && (
        <>
          <Summary detail={data} />
          <Thread detail={data} />
          <Reply key={data.ticket.ticketUuid} ticketUuid={ticketUuid} />
        </>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      )}
      {!data && error && <LoadError error={error} retry={() => void refetch()} />}
    </Drawer>
  )
}

function Summary({ detail }: { detail: TicketDetail }) {
  const { words } = useWords()
  const { date, moment } = useFormat()
  const { ticket, incidentDate, contactEmail, contactPhone, createdBy, answers, description, files, outsideCover } = detail
  return (
    <section aria-label={ticket.subject} className="grid gap-3">
      <div className="grid gap-1">
        <h3 className="text-xl font-semibold tracking-tight wrap-anywhere">{ticket.subject}</h3>
        <p className="flex flex-wrap items-center gap-2 text-quiet">
          <StatusBadge status={ticket.status} /> {ticket.type}
        </p>
        <p className="text-sm text-quiet">{words('tickets.sent_by', { name: createdBy, at: moment(ticket.createdAt) })}</p>
      </div>
      {outsideCover.length > 0 && (
        <Callout tone="warning" title={words('tickets.outside_note')}>
          {outsideCover.map(reason => (
            <p key={reason}>{reason}</p>
          ))}
        </Callout>
      )}
      <dl className="grid gap-x-6 sm:grid-cols-2">
        {ticket.policyNumber && <Fact name={words('tickets.policy')}>{ticket.policyNumber}</Fact>}
        {incidentDate && <Fact name={words('tickets.incident_date')}>{date(incidentDate)}</Fact>}
        <Fact name={words('tickets.contact_email')}>{contactEmail}</Fact>
        <Fact name={words('tickets.contact_phone')}>{contactPhone}</Fact>
        {answers.map(({ name, label, text }) => (
          <Fact key={name} name={label}>
            {text}
          </Fact>
        ))}
      </dl>
      <p className="rounded-md bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line">{description}</p>
      <FileList files={files} />
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 border-b border-line py-1.5">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-right wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
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
