import { useFormat } from '#portal/kit/format.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Part, Row } from './part.tsx'
import type { Detail } from './details.tsx'

export function Files({ detail: { files } }: { detail: Detail }) {
  const { words } = useWords()
  if (files.length === 0) return null
  return (
    <Part title={words('policies.documents')}>
      <ul className="grid gap-1">
        {files.map(({ uuid, name, label, file }) => (
          <li key={uuid} className="flex items-center gap-x-4">
            <a
              href={file}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-(--control) min-w-0 items-center gap-2 text-accent-ink underline underline-offset-4"
            >
              <Icon name="file" /> {label}
            </a>
            <a
              href={file}
              download={name}
              aria-label={words('policies.download', { name: label })}
              className="inline-flex min-h-(--control) min-w-(--control) items-center justify-center rounded-md text-quiet hover:bg-sunken hover:text-ink"
            >
              <Icon name="download" />
            </a>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The demands and needs that the client confirmed before the sale, and the time. */
export function DemandsAndNeeds({ detail: { shown } }: { detail: Detail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (!shown) return null
  return (
    <Part title={words('policies.shown')}>
      <p>{shown.demandsAndNeeds}</p>
      <p className="text-sm text-quiet">{words('policies.shown_detail', { at: moment(shown.at) })}</p>
    </Part>
  )
}

/** The emails about a policy and their states. While it can be sent, each can be resent, to a corrected address if need be. */
export function Mails({ detail: { mails }, onResend }: { detail: Detail; onResend: ((to: string) => void) | undefined }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (mails.length === 0) return null
  return (
    <Part title={words('policies.mails')}>
      <ul>
        {mails.map(({ uuid, at, to, subject, state, reason }) => {
          // Safe: the service knows no other states of an email.
          const { tone, label } = mailStates[state as keyof typeof mailStates]
          return (
            <Row key={uuid} name={to} detail={[moment(at), subject, reason].filter(Boolean).join(' · ')}>
              <span className="inline-flex items-center gap-1">
                <Badge tone={tone}>{words(label)}</Badge>
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

export function History({ detail: { history } }: { detail: Detail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const events = history.filter(hasLabel)
  return (
    <Part title={words('policies.history')}>
      <ol>
        {events.map(({ at, who, what }) => (
          <Row key={`${at} ${what}`} name={words(eventLabels[what])} detail={who}>
            <span className="text-sm text-quiet">{moment(at)}</span>
          </Row>
        ))}
      </ol>
    </Part>
  )
}

const eventLabels = {
  saved: 'policies.event_saved',
  registered: 'policies.event_registered',
  purchased: 'policies.event_purchased',
  sent: 'policies.event_sent',
  deleted: 'policies.event_deleted',
  restored: 'policies.event_restored',
  payment_lapsed: 'policies.event_payment_lapsed',
  payment_refunded: 'policies.event_payment_refunded',
  payment_in_review: 'policies.event_payment_in_review',
} as const

type Event = Detail['history'][number]

const hasLabel = (event: Event): event is Event & { what: keyof typeof eventLabels } => event.what in eventLabels
