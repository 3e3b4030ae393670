import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listTickets } from '#common/tickets/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { Badge } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { policyQuery } from '#portal/policies/policy-query.ts'
import { useMay } from '#portal/session/session.ts'
import { StatusBadge } from './detail/status-badge.tsx'

type Props = { policyNumber: string; policyUuid: string }

/** The claims and requests about a policy, with buttons to open one. */
export function PolicyTickets({ policyNumber, policyUuid }: Props) {
  const { words, locale } = useWords()
  const mayAccess = useMay('b2b-access')
  const request = { searchData: policyNumber, perPage: 20 }
  const query = useQuery({
    queryKey: ['tickets', 'list', locale, request],
    queryFn: ({ signal }) => ask(listTickets, request, { signal }),
    enabled: mayAccess,
  })
  // The panel around this has loaded it.
  const { data: policy } = useQuery({ ...policyQuery(policyUuid), enabled: false })
  if (!mayAccess) return null
  const tickets = query.data?.tickets.filter(ticket => ticket.policyNumber === policyNumber) ?? []
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
        <h3 className="font-semibold">{words('tickets.of_policy')}</h3>
        <span className="-mr-2 flex">
          {forms.map(({ to, label }) => (
            <Link key={to} to={to} search={{ policy: policyUuid }} className={buttonLook('plain')}>
              <Icon name="plus" /> {words(label)}
            </Link>
          ))}
        </span>
      </header>
      {!query.data && <MissingPart of={query} title={words('tickets.of_policy_failed')} />}
      {tickets.length > 0 && (
        <ul>
          {tickets.map(({ ticketUuid, kind, subject, reference, status, unread }) => (
            <li key={ticketUuid} className="border-b border-hair last:border-0">
              <Link
                to={kind === 'claim' ? '/claim' : '/customer-service'}
                search={{ ticket: ticketUuid }}
                className="flex min-h-(--control) items-center gap-2.5 underline underline-offset-4"
              >
                <Icon name={kind === 'claim' ? 'alert-circle' : 'lifebuoy'} className="size-4 text-quiet" />
                <span className="min-w-0 flex-1 truncate">
                  {subject} <span className="text-sm text-faint">{reference}</span>
                </span>
                {unread > 0 && <Badge tone="accent">{words('tickets.unread', { count: unread })}</Badge>}
                <StatusBadge status={status} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {policy?.policy.status === 'purchased' && (
        <Link
          to="/customer-service"
          search={{ policy: policyUuid, type: 'refund' }}
          className="justify-self-start underline underline-offset-4"
        >
          {words('tickets.ask_cancellation')}
        </Link>
      )}
    </section>
  )
}

const forms = [
  { to: '/claim', label: 'tickets.report' },
  { to: '/customer-service', label: 'tickets.new_request' },
] as const
