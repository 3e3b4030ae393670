import { useWords } from '#portal/kit/words.tsx'
import { type Detail, mailOf } from './sale-mail.ts'

/** Names the address to which the documents were sent, or says that they were not sent. */
export function Mailed({ detail }: { detail: Detail | undefined }) {
  const { words } = useWords()
  const mail = mailOf(detail)
  return (
    <p role="status" className={`text-sm ${mail?.state === 'refused' || mail?.state === 'none' ? 'text-warning' : 'text-quiet'}`}>
      {mail ? words(messages[mail.state], { to: mail.to }) : words('funnel.done.mail_unknown')}
    </p>
  )
}

const messages = {
  due: 'funnel.done.mail_due',
  queued: 'funnel.done.mail_queued',
  sent: 'funnel.done.mail_sent',
  refused: 'funnel.done.mail_refused',
  none: 'funnel.done.mail_none',
} as const
