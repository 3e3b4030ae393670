import { displayDate } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import { within } from '#server/kit/database.ts'
import type { GivingUp, Subscriber } from '#server/kit/work/outbox.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import { queueMail } from '#server/mail/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { findHolder, findPolicy } from '../queries.ts'
import type { Sales } from './sales.ts'

/** Makes the documents of a sold policy and emails them to the policyholder, in the policy's language. */
export const purchased =
  ({ world, documents }: Sales): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const policyId = String(job.payload['policyId'])
    const attachments = await documents.make(scope, policyId)
    await world.database.asService(async whole => {
      const tx = within(whole, scope)
      const policy = await findPolicy(tx, policyId)
      const holder = policy && (await findHolder(tx, policy))
      if (!policy || !holder?.email || !isOneAddress(holder.email)) return
      await queueMail(world, tx, {
        to: { name: policy.taker, address: holder.email },
        template: 'policy_purchased',
        locale: policy.locale,
        params: {
          name: policy.taker,
          number: policy.number ?? '',
          product: policy.product_name,
          start: displayDate(policy.start_date) ?? '',
          end: displayDate(policy.end_date) ?? '',
          total: formatMoney(policy.total_cents, policy.locale, policy.currency),
        },
        about: policy.id,
        attachments,
        causedBy: job,
      })
    })
  }

/** Marks documents that could not be made as failed. Opening one makes the service try again. */
export const documentsFailed =
  ({ documents }: Sales): GivingUp =>
  (whole, job) =>
    documents.markFailed(within(whole, scopeOf(job.businessUnitId)), String(job.payload['policyId']))
