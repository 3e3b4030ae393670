import { displayDate } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { MadeDocuments } from '#server/documents/public.ts'
import { type UnitTx, type UnitWithinTx, within } from '#server/kit/database.ts'
import type { GivingUp, Job, Subscriber } from '#server/kit/work/outbox.ts'
import { type Mail, queueMail } from '#server/mail/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { addressOf, mailFacts, mailFactsIn } from '../document-facts.ts'
import { findWithHolder, type PolicyRow } from '../queries.ts'
import type { Sales } from './sale-context.ts'

/** Makes the documents of a sold policy and emails them to the policyholder, in the policy's language. */
export const purchased =
  (sales: Sales): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const { policyId, version } = job.payload
    // The policy may have been changed meanwhile: the sale's other documents are still valid. Jobs of an older node name no version.
    const sold = typeof version === 'number' ? version : null
    // The policy may have been cancelled meanwhile: then there is nothing to send.
    const made = await sales.documents.makeIf(scope, String(policyId), sold, ({ status }) => status === 'purchased')
    if (!made) return undefined
    return async whole => {
      const tx = within(whole, scope)
      // The email's link locks the policy, which a change locks before the files.
      await mailDocuments(sales, tx, job, made)
      await made.save(tx)
    }
  }

async function mailDocuments(sales: Sales, tx: UnitWithinTx, job: Job, made: MadeDocuments): Promise<void> {
  const policy = await findWithHolder(tx, made.facts.policy.id)
  const address = policy && addressOf(policy)
  if (!policy || !address) return
  const mail: Mail = {
    to: { name: policy.taker, address },
    template: 'policy_purchased',
    locale: policy.locale,
    params: {
      name: policy.taker,
      number: policy.number ?? '',
      product: policy.product_name,
      start: displayDate(policy.start_date) ?? '',
      end: displayDate(policy.end_date) ?? '',
      total: formatMoney(policy.sold_cents ?? policy.total_cents, policy.locale, policy.currency),
      ...(isAsMade(policy, made) ? mailFactsIn(made.facts.product.described, made.facts.trip, policy.locale) : await mailFacts(tx, policy)),
    },
    about: policy.id,
    opens: policy.id,
    attachments: isAsMade(policy, made) ? made.attachments : await holdingOf(sales, tx, policy, made),
    causedBy: job,
  }
  // A later try only queues it: what cannot be written holds up no documents.
  if (job.attempts > 1) await queueMail(sales.world, tx, mail)
  else await sales.mailSoon(tx, mail, made.rows)
}

/** True if no step has followed the version that the documents were made of. A step may replace the certificate. */
const isAsMade = (policy: PolicyRow, { facts }: MadeDocuments): boolean => policy.version === facts.policy.version

async function holdingOf({ documents }: Sales, tx: UnitTx, policy: PolicyRow, { attachments }: MadeDocuments) {
  const holding = await documents.list(tx, policy)
  return attachments.filter(({ fileId }) => holding.some(({ uuid }) => uuid === fileId))
}

/** Marks documents that could not be made as failed. Opening one makes the service try again. */
export const documentsFailed =
  ({ documents }: Sales): GivingUp =>
  (whole, job) =>
    documents.markFailed(within(whole, scopeOf(job.businessUnitId)), String(job.payload['policyId']))
