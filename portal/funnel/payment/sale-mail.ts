import type { ResponseOf } from '#common/kit/call.ts'
import type { policyDetail } from '#common/policies/calls.ts'

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
