import { isOfferable } from '#common/changes/offer.ts'
import { cardGateway } from '#common/changes/state.ts'
import { formatMoney } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { endIn } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { hashOfAddress, isOneAddress } from '#server/kit/mail-address.ts'
import { queueMail } from '#server/mail/public.ts'
import { addressOf, findHolder, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import type { Written } from '../write.ts'
import type { Loaded } from '../load.ts'
import { openRow } from '../payment/open.ts'
import type { Offer } from '../reply.ts'
import { insertOpenChange, type OpenChangeRow } from '../queries.ts'
import type { Step } from '../write.ts'

/** Routes a charge to the client's card, or refuses a step that cannot be offered. */
export function offered({ policy, now, gateways }: Loaded, charge: number, { email }: Offer): Pick<Step, 'routes' | 'waived'> {
  if (!isOneAddress(email.trim())) throw refuseFields([{ path: 'settle.offer.email', rule: 'email', key: 'validation.email' }])
  if (!gateways.some(({ name }) => name === cardGateway)) throw new Refusal('change.account_only')
  if (!isOfferable(policy, charge, now)) throw new Refusal('change.nothing_to_pay')
  return { routes: [{ paymentUuid: null, gateway: cardGateway, amount: charge }], waived: 0 }
}

/** Offers a step to the client, who gets the link to it by email. Nothing is charged, and the policy stays as it is, until the client pays. */
export async function offerStep(
  { world, cards }: Sales,
  tx: UnitTx,
  written: Written & { by: { userId: string } },
  { email, locale }: Offer,
): Promise<OpenChangeRow> {
  const { row, loaded, step, by, where, now } = written
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const address = email.trim()
  const open = await insertOpenChange(tx, { ...(await openRow(world, tx, written)), state: 'offered', offered_to: hashOfAddress(address) })
  await recordEvent(world, tx, { policyId: row.id, at: now, by, what: 'change_offered' })
  await audit(world, tx, where, { action: 'policy.change_offered', outcome: 'done', object: row.id, details: { version: row.version } })
  const language = locale ?? step.contents.locale
  const known = addressOf(await findHolder(tx, row))
  await queueMail(world, tx, {
    to: { name: row.taker, address },
    template: 'change_offered',
    locale: language,
    params: {
      name: row.taker,
      number: row.number ?? '',
      product: row.product_name,
      amount: formatMoney(step.charge, language, row.currency),
      until: endIn(open.until, { policy: { locale: language }, seller: { timeZone: loaded.policy.timeZone } }),
    },
    about: row.id,
    opens: row.id,
    // The preview is made when the email leaves. It names people with their documents and addresses, so it goes to the policyholder alone.
    attachments:
      known && hashOfAddress(known).equals(hashOfAddress(address))
        ? [
            {
              filename: `${world.words(language)('documents.preview')} ${row.number}.pdf`,
              contentType: 'application/pdf',
              size: 0,
              fileId: open.id,
            },
          ]
        : [],
  })
  return open
}
