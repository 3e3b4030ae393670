import type { Locale } from '#common/kit/locales.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import type { Scope } from '#server/kit/scope.ts'
import { isOneAddress, oneLine } from './address.ts'
import type { MailAttachment } from './tables.ts'
import type { Template } from './templates.ts'

export const mailWritten = 'mail.written'

export type Mail = {
  to: { name: string; address: string }
  template: Template
  locale: Locale
  params: Record<string, string | number>
  attachments?: MailAttachment[]
}

/** Writes a mail in the transaction of what causes it. One recipient each; it leaves when the transaction has committed. */
export async function queueMail(world: World, tx: Tx, scope: Scope, mail: Mail): Promise<string> {
  if (!isOneAddress(mail.to.address)) throw new TypeError('a mail needs one plain address')
  const id = world.ids.next()
  await tx
    .insertInto('mails')
    .values({
      business_unit_id: scope.businessUnitId,
      id,
      at: world.clock.now(),
      template: mail.template,
      recipient_name: oneLine(mail.to.name),
      recipient_address: mail.to.address,
      content: JSON.stringify({ locale: mail.locale, params: mail.params }),
      attachments: JSON.stringify(mail.attachments ?? []),
      state: 'queued',
    })
    .execute()
  await world.outbox.publish(tx, scope, mailWritten, { mailId: id })
  return id
}
