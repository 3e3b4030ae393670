import { displayDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { problemIn } from '#common/kit/words/words.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Job, Subscriber } from '#server/kit/work/outbox.ts'
import { type Mail, type MailAttachment, queueMail } from '#server/mail/public.ts'
import {
  addressOf,
  findHolder,
  findPolicy,
  insertLink,
  mailFacts,
  mailParams,
  type PolicyRow,
  recordEvent,
  renewalOf,
  type Sales,
} from '#server/policies/public.ts'
import { audit, noRequest, scopeOf } from '#server/session/public.ts'
import { differencesBetween } from '../renew.ts'

/** The service has saved the next term of a policy as a quote. */
export const renewalOffered = 'renewal.offered'

/** Emails a renewal that the service has made, with its documents and what is different. One that was sold or deleted meanwhile is left out. */
export const mailRenewal =
  ({ world, documents }: Sales): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const policyId = String(job.payload['policyId'])
    const renewal = await world.database.inScope(scope, tx => renewalOf(tx, policyId))
    if (renewal?.status !== 'budgeted') return undefined
    // Makes missing documents, with no transaction open.
    const attachments = await documents.makeAll(scope, renewal.id, [])
    return async whole => {
      const tx = within(whole, scope)
      const [policy, now] = await Promise.all([findPolicy(tx, policyId), findPolicy(tx, renewal.id)])
      if (policy && now?.status === 'budgeted' && now.version === renewal.version)
        await mailOffer(world, tx, { policy, renewal, attachments, causedBy: job })
    }
  }

type Offered = { policy: PolicyRow; renewal: PolicyRow; attachments: MailAttachment[]; causedBy: Job }

async function mailOffer(world: World, tx: UnitTx, { policy, renewal, attachments, causedBy }: Offered): Promise<void> {
  const { id, locale } = renewal
  const differences = await differencesBetween(world, tx, { policy, renewal }, locale)
  const words = world.words(locale)
  const quote = differences.map(each => words('mail.difference', each)).join('\n')
  const params = { ...ending(policy), quote, differs: quote === '' ? 'no' : 'yes' }
  const isSent = await write(world, tx, renewal, { template: 'renewal_quote', attachments, causedBy, params, isLinked: true })
  if (!isSent) return
  const details = { many: 1 }
  await recordEvent(world, tx, { policyId: id, at: world.clock.now(), what: 'sent', details })
  await audit(world, tx, noRequest, { action: 'policy.sent', outcome: 'done', object: id, details })
}

/** Why no next term is offered. The email states the problem that a rule of the product has found. */
export type Why = { code: string; problem?: Problem | undefined }

/** Tells the client that no next term is offered, and why. */
export function mailRefusal(
  world: World,
  tx: UnitTx,
  policy: PolicyRow,
  { why: { code, problem }, causedBy }: { why: Why; causedBy: Job },
): Promise<boolean> {
  const why = problem ? 'rules' : code === 'request.not_found' ? 'not_sold' : 'other'
  const reason = problem ? problemIn(world.words(policy.locale), problem) : ''
  return write(world, tx, policy, { template: 'renewal_refused', causedBy, params: { why, reason } })
}

/** Reminds the client of an unsold renewal, once. */
export async function mailReminder(world: World, tx: UnitTx, renewal: PolicyRow): Promise<void> {
  const policy = renewal.renews === null ? undefined : await findPolicy(tx, renewal.renews)
  if (!policy) return
  const causedBy = { id: stableId('renewal_reminder', renewal.id) }
  await write(world, tx, renewal, { template: 'renewal_reminder', causedBy, params: ending(policy), isLinked: true })
}

const ending = ({ number, end_date }: PolicyRow) => ({ number: number ?? '', ends: displayDate(end_date) ?? '' })

/** Queues an email about a policy or a quote to its policyholder. False without an address. */
async function write(
  world: World,
  tx: UnitTx,
  policy: PolicyRow,
  { params, isLinked, ...mail }: Pick<Mail, 'template' | 'params' | 'causedBy' | 'attachments'> & { isLinked?: true },
): Promise<boolean> {
  const address = addressOf(await findHolder(tx, policy))
  if (!address) return false
  const { timeZone } = await unitSettings(tx)
  await queueMail(world, tx, {
    ...mail,
    to: { name: policy.taker, address },
    locale: policy.locale,
    params: { ...mailParams(policy, false, timeZone), ...(await mailFacts(tx, policy)), ...params },
    about: policy.id,
    ...(isLinked ? { opens: await insertLink(world, tx, { userId: null, address, message: '', quotes: [policy] }) } : {}),
  })
  return true
}
