import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '#common/kit/call.ts'
import { policyDetail } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useWords } from '#portal/kit/words.tsx'
import { FileLink } from '#portal/kit/file/file-link.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Sold } from '../store.ts'

const refreshMs = 1500

/** True while documents are being generated, or the email has not been sent. */
const isUnfinished = (detail: Detail | undefined): boolean =>
  detail !== undefined && (detail.files.some(({ state }) => state === 'pending') || ['due', 'queued'].includes(mailOf(detail)?.state ?? ''))

/** The documents of a new policy, and its email. Documents still to be generated say so. */
export function PolicyDocuments({ done: { policyData, files } }: { done: Sold }) {
  const { words } = useWords()
  const maySee = useMay('b2b-policies-sold-view')
  const { policyUuid } = policyData
  const { data, isError } = useQuery({
    // A separate key, so that the policy's own page is loaded anew.
    queryKey: ['policies', 'documents', policyUuid],
    queryFn: ({ signal }) => ask(policyDetail, { policyUuid }, { signal }),
    enabled: maySee,
    // At growing intervals, as an email may take days.
    refetchInterval: ({ state: { data, dataUpdateCount } }) => (isUnfinished(data) ? refreshMs * dataUpdateCount : false),
  })
  // Without the permission to see policies the link is always shown: the service generates the document on request.
  const stateOf = (uuid: string) => (maySee && !isError ? (data?.files.find(file => file.uuid === uuid)?.state ?? 'pending') : 'ready')
  return (
    <>
      <ul
        aria-busy={files.some(({ uuid }) => stateOf(uuid) === 'pending')}
        className="grid gap-1 border-t border-line pt-(--gap) empty:hidden"
      >
        {files.map(({ uuid, file, name, label }) => (
          <li key={uuid} className="flex min-h-(--control) items-center gap-2">
            {/* A missing document is generated when it is opened. */}
            <FileLink name={name} file={file} label={stateOf(uuid) === 'pending' ? words('funnel.done.pending', { name: label }) : label} />
          </li>
        ))}
      </ul>
      <Mailed detail={data} />
    </>
  )
}

/** Names the address to which the documents were sent, or says that they were not sent. */
function Mailed({ detail }: { detail: Detail | undefined }) {
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

/** The part of a policy's details that shows its email. */
export type Detail = Pick<ResponseOf<typeof policyDetail>, 'files' | 'mails' | 'mailTo' | 'purchasedAt'>

/** Returns the state and address of the sale's email as the service queued it, whatever the form has. Undefined while unknown. */
export function mailOf(detail: Detail | undefined): { state: 'due' | 'queued' | 'sent' | 'refused' | 'none'; to: string } | undefined {
  if (!detail) return undefined
  const { files, mails, mailTo, purchasedAt } = detail
  // The newest come first. Emails sent before the sale do not count.
  const mail = mails.findLast(({ at }) => purchasedAt !== null && at >= purchasedAt)
  if (mail?.state === 'queued' || mail?.state === 'sent' || mail?.state === 'refused') return { state: mail.state, to: mail.to }
  // The email is sent with its documents. If these cannot be made, it is not sent.
  const hasFailed = files.some(({ state }) => state === 'failed')
  return mailTo === null || mail || hasFailed ? { state: 'none', to: '' } : { state: 'due', to: mailTo }
}
