import type { ResponseOf } from '#common/kit/call.ts'
import type { policyDetail } from '#common/policies/calls.ts'

/** The part of a policy's details that its email shows in. */
export type Detail = Pick<ResponseOf<typeof policyDetail>, 'files' | 'mails' | 'mailTo' | 'purchasedAt'>

/** Returns the state and address of the sale's email as the service queued it, whatever the form says. Undefined while unknown. */
export function mailOf(detail: Detail | undefined): { state: 'due' | 'queued' | 'sent' | 'refused' | 'none'; to: string } | undefined {
  if (!detail) return undefined
  const { files, mails, mailTo, purchasedAt } = detail
  // The newest come first, and what was sent before the sale does not count.
  const mail = mails.findLast(({ at }) => purchasedAt !== null && at >= purchasedAt)
  if (mail?.state === 'queued' || mail?.state === 'sent' || mail?.state === 'refused') return { state: mail.state, to: mail.to }
  // The email leaves with its documents. If these cannot be made, it does not.
  const hasFailed = files.some(({ state }) => state === 'failed')
  return mailTo === null || mail || hasFailed ? { state: 'none', to: '' } : { state: 'due', to: mailTo }
}
