import { useFormat } from '#portal/kit/format.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '../policy-query.ts'
import { Part, Row } from './part.tsx'

/** The demands and needs confirmed before the sale, or stated anew by a change, with the time. */
export function DemandsAndNeeds({ detail: { shown } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (!shown) return null
  return (
    <Part title={words(shown.byChange ? 'policies.shown_changed' : 'policies.shown')}>
      <p>{shown.demandsAndNeeds}</p>
      <p className="text-sm text-quiet">
        {words(shown.byChange ? 'policies.shown_changed_detail' : 'policies.shown_detail', { at: moment(shown.at) })}
      </p>
    </Part>
  )
}

/** The emails about a policy and their states. While the policy can be sent, each can be resent, also to a corrected address. */
export function Mails({ detail: { mails }, onResend }: { detail: PolicyDetail; onResend: ((to: string) => void) | undefined }) {
  const { words } = useWords()
  const { list, moment } = useFormat()
  if (mails.length === 0) return null
  return (
    <Part title={words('policies.mails')}>
      <ul>
        {mails.map(({ uuid, at, to, subject, state, reason, files }) => {
          // Safe: the service has no other states of an email.
          const { tone, label } = mailStates[state as keyof typeof mailStates]
          return (
            <Row key={uuid} name={to} detail={[moment(at), subject, list(files), reason].filter(Boolean).join(' · ')}>
              <span className="inline-flex items-center gap-1">
                <State tone={tone}>{words(label)}</State>
                {onResend && <IconButton icon="repeat" label={words('policies.resend', { to })} onClick={() => onResend(to)} />}
              </span>
            </Row>
          )
        })}
      </ul>
    </Part>
  )
}

const mailStates = {
  queued: { tone: 'neutral', label: 'policies.mail_queued' },
  sent: { tone: 'success', label: 'policies.mail_sent' },
  refused: { tone: 'danger', label: 'policies.mail_refused' },
  withdrawn: { tone: 'neutral', label: 'policies.mail_dropped' },
} as const

/** The events, the latest first. */
export function History({ detail: { history } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  return (
    <Part title={words('policies.history')}>
      <ol>
        {history
          .filter(hasLabel)
          .toReversed()
          .map(({ at, who, what }, index, events) => (
            <li key={`${at} ${what}`} className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 pb-3 pl-5">
              {index < events.length - 1 && <span aria-hidden="true" className="absolute inset-0 top-4 ml-1.5 border-l border-line" />}
              <span
                aria-hidden="true"
                className={`absolute top-0 left-0 mt-2 size-2 rounded-full ${index === 0 ? 'bg-ink' : 'bg-sheet inset-ring-[1.5px] inset-ring-faint'}`}
              />
              <span className={index === 0 ? 'font-semibold' : ''}>{words(eventLabels[what])}</span>
              <time dateTime={at} className="text-sm text-quiet">
                {moment(at)}
              </time>
              <span className="text-sm text-quiet">{who}</span>
            </li>
          ))}
      </ol>
    </Part>
  )
}

const eventLabels = {
  saved: 'events.saved',
  registered: 'events.registered',
  purchased: 'events.purchased',
  changed: 'events.changed',
  change_asked: 'events.change_asked',
  change_offered: 'events.change_offered',
  change_accepted: 'events.change_accepted',
  change_declined: 'events.change_declined',
  change_expired: 'events.change_expired',
  quote_linked: 'events.quote_linked',
  quote_links_revoked: 'events.quote_links_revoked',
  quote_opened: 'events.quote_opened',
  quote_completed: 'events.quote_completed',
  quote_paid: 'events.quote_paid',
  quote_accepted: 'events.quote_accepted',
  quote_declined: 'events.quote_declined',
  change_taken_back: 'events.change_taken_back',
  change_undone: 'events.change_undone',
  cancelled: 'events.cancelled',
  reinstated: 'events.reinstated',
  withdrawal_received: 'events.withdrawal_received',
  renewal_impossible: 'events.renewal_impossible',
  renewal_outdated: 'events.renewal_outdated',
  sent: 'events.sent',
  deleted: 'events.deleted',
  restored: 'events.restored',
  payment_lapsed: 'events.payment_lapsed',
  payment_refunded: 'events.payment_refunded',
  payment_in_review: 'events.payment_in_review',
  refund_transferred: 'events.refund_transferred',
} as const

type Event = PolicyDetail['history'][number]

const hasLabel = (event: Event): event is Event & { what: keyof typeof eventLabels } => event.what in eventLabels
