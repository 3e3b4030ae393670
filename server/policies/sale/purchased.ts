import { displayDate } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import { within } from '#server/kit/database.ts'
import type { GivingUp, Subscriber } from '#server/kit/work/outbox.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import { queueMail } from '#server/mail/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { mailFacts } from '../document-facts.ts'
import { findHolder, findPolicy } from '../queries.ts'
import type { Sales } from './sales.ts'

/** Makes the documents of a sold policy and emails them to the policyholder, in the policy's language. */
export const purchased =
  ({ world, documents }: Sales): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const policyId = String(job.payload['policyId'])
    // It may have been cancelled meanwhile: then there is nothing to send.
    const sold = await world.database.inScope(scope, tx => findPolicy(tx, policyId))
    if (sold?.status !== 'purchased') return
    // The policy may have been changed meanwhile: the sale's other documents still hold.
    const made = await documents.make(scope, policyId, sold.sold_version)
    await world.database.asService(async whole => {
      const tx = within(whole, scope)
      const policy = await findPolicy(tx, policyId)
      const address = policy && addressOf(await findHolder(tx, policy))
      if (!policy || !address) return
      const holding = await documents.list(tx, policy)
      await queueMail(world, tx, {
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
          ...(await mailFacts(tx, policy)),
        },
        about: policy.id,
        opens: policy.id,
        attachments: made.filter(({ fileId }) => holding.some(({ uuid }) => uuid === fileId)),
        causedBy: job,
      })
    })
  }

/** Returns the address of the policyholder, if an email can go there. */
export const addressOf = (holder: { email: string | null } | undefined): string | undefined =>
  holder?.email && isOneAddress(holder.email) ? holder.email : undefined

/** Marks documents that could not be made as failed. Opening one makes the service try again. */
export const documentsFailed =
  ({ documents }: Sales): GivingUp =>
  (whole, job) =>
    documents.markFailed(within(whole, scopeOf(job.businessUnitId)), String(job.payload['policyId']))
