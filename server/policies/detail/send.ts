import { displayDate } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { RequestOf } from '#common/kit/call.ts'
import type * as calls from '#common/policies/calls.ts'
import { policyCan } from '#common/policies/states.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import { endIn } from '#server/documents/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import { type MailAttachment, queueMail, type ValidityChecks } from '#server/mail/public.ts'
import { audit } from '#server/session/public.ts'
import { mailFacts } from '../document-facts.ts'
import { findPolicy, lockPolicy, type PolicyRow, recordEvent, versionOf } from '../queries.ts'
import { isPriceOver, hasLapsed } from '../sale/pricing.ts'
import type { Sales } from '../sale/sale-context.ts'
import { findLink, insertLink, isAnswered, quotesOf } from '../links/queries.ts'
import { sharedIn } from '../links/shared.ts'
import { demandStatus, isVisible, seesCommission } from '../visibility.ts'

type Ask = RequestOf<typeof calls.sendCertificates>

/**
 * Emails the documents of a sold or cancelled policy, or of a saved quote. Each address gets one email, in the policy's language. That of a quote has a
 * link by which the client reads it, with up to two others, unless its sender may not sell.
 */
export const send =
  (sales: Sales): Handler<typeof calls.sendCertificates> =>
  async input => {
    const { ask, caller } = input
    const { world, documents } = sales
    const { scope } = caller.unit
    const addresses = addressesOf(ask)
    const { policy, isProvisional, timeZone } = await world.database.inScope(scope, async tx => {
      const policy = await findPolicy(tx, ask.policyUuid)
      // Safe: every version is stored with its quote.
      const sold = policy && ((await versionOf(tx, policy)).content as { quote: Partial<Quote> })
      return { policy, isProvisional: sold?.quote.provisional ?? false, timeZone: (await unitSettings(tx)).timeZone }
    })
    if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
    await demandStatus(world, input, policy.status, 'POST /api/policy/sendCertificates', policy.id)
    if (!policyCan('send', policy)) throw new Refusal('policy.not_sendable')
    if (hasLapsed(policy, world.clock.now(), timeZone)) throw new Refusal('policy.price_expired')
    const isLinked = policy.status === 'budgeted' && seesCommission(caller)
    const opened = isLinked ? await world.database.inScope(scope, tx => sharedIn(tx, caller, policy, ask, world.clock.now())) : undefined
    await world.spend(caller, 'mails', addresses.length)
    // Makes missing documents, with no transaction open.
    const attachments = await documents.makeAll(scope, policy.id, ask.files)
    if (ask.files.length === 0)
      for (const { id } of opened?.quotes.slice(1) ?? []) attachments.push(...(await documents.makeAll(scope, id, [])))
    refuseOthers(ask.files, attachments)
    await world.database.asService(async whole => {
      const tx = within(whole, scope)
      const locked = await lockPolicy(tx, policy.id)
      // The policy was sold, deleted or replaced meanwhile, so its documents are outdated.
      if (locked?.status !== policy.status || locked.version !== policy.version) throw new Refusal('request.conflict', { retryAfter: 1 })
      const now = world.clock.now()
      const template = templateOf(policy)
      const params = { ...mailParams(policy, isProvisional, timeZone), ...(await mailFacts(tx, policy)), quote: opened?.message ?? '' }
      for (const address of addresses) {
        await queueMail(world, tx, {
          to: { name: policy.taker, address },
          template,
          locale: policy.locale,
          params,
          about: policy.id,
          ...(template === 'policy_certificates' ? { opens: policy.id } : {}),
          ...(opened ? { opens: await insertLink(world, tx, { ...opened, userId: caller.userId, address }) } : {}),
          attachments,
        })
      }
      const details = { many: addresses.length }
      await recordEvent(world, tx, { policyId: policy.id, at: now, by: caller, what: 'sent', details })
      await audit(world, tx, input, { action: 'policy.sent', outcome: 'done', object: policy.id, details })
    })
    return { queued: addresses.length }
  }

const templateOf = ({ status }: PolicyRow) =>
  status === 'budgeted' ? 'budget_offer' : status === 'cancelled' ? 'policy_ended' : 'policy_certificates'

/**
 * An email may wait for days. One about a quote that was sold, deleted or repriced, or a policy that was cancelled or reinstated, is dropped.
 * A card payment that is under way does not drop it: the client should read it before paying.
 */
export const validityChecks: ValidityChecks = {
  budget_offer: canBeBought,
  renewal_quote: canBeBought,
  renewal_reminder: async (tx, about, ...rest) => !(await isAnswered(tx, about)) && canBeBought(tx, about, ...rest),
  renewal_refused: isPurchased,
  policy_certificates: isPurchased,
  policy_ended: async (tx, about) => (await findPolicy(tx, about))?.status === 'cancelled',
}

/** True if one of the quotes can still be bought: those of the link that the email has, or the one that it is about. */
async function canBeBought(tx: UnitTx, about: string, now: Date, linkId: string | undefined): Promise<boolean> {
  const link = linkId === undefined ? undefined : await findLink(tx, linkId)
  if (link?.revoked_at || link?.decision === 'declined') return false
  const { timeZone } = await unitSettings(tx)
  const quotes = link ? await quotesOf(tx, link.id) : [await findPolicy(tx, about)]
  return quotes.some(quote => (quote?.status === 'budgeted' || quote?.status === 'pending') && !isPriceOver(quote, now, timeZone))
}

async function isPurchased(tx: UnitTx, about: string): Promise<boolean> {
  return (await findPolicy(tx, about))?.status === 'purchased'
}

function addressesOf({ emails }: Ask): string[] {
  const wrong = emails.flatMap((email, index) =>
    isOneAddress(email.trim()) ? [] : [{ path: `emails[${index}]`, rule: 'email', key: 'validation.email' }],
  )
  if (wrong.length > 0) throw refuseFields(wrong)
  return [...new Map(emails.map(email => [email.trim().toLowerCase(), email.trim()])).values()]
}

/** Refuses names that are not of the policy's files. */
function refuseOthers(names: string[], attachments: MailAttachment[]): void {
  const wrong = names.flatMap((name, index) =>
    attachments.some(({ fileId }) => fileId === name.toLowerCase())
      ? []
      : [{ path: `files[${index}]`, rule: 'known', key: 'policies.other_file' }],
  )
  if (wrong.length > 0) throw refuseFields(wrong)
}

/** Returns what an email about a policy or a quote says of it. */
export const mailParams = (policy: PolicyRow, isProvisional: boolean, timeZone: string) => ({
  name: policy.taker,
  number: policy.number ?? '',
  product: policy.product_name,
  start: displayDate(policy.start_date) ?? '',
  end: displayDate(policy.end_date) ?? '',
  total: formatMoney(policy.total_cents, policy.locale, policy.currency),
  provisional: isProvisional ? 'yes' : 'no',
  until: endIn(policy.price_valid_until, { policy, seller: { timeZone } }),
  ended: policy.ended_at ? endIn(policy.ended_at, { policy, seller: { timeZone } }) : '',
})
