import type { Locale } from '#common/kit/locales.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Job } from '#server/kit/work/outbox.ts'
import { isOneAddress, oneLine } from '../kit/mail-address.ts'
import type { MailAttachment } from './tables.ts'
import type { Params, Template } from './templates.ts'

export const mailWritten = 'mail.written'

export type Mail = {
  to: { name: string; address: string }
  template: Template
  locale: Locale
  params: Params
  /** Whose password the link chooses: only the mail itself ever has that link. */
  passwordOf?: string
  /** Whose invitation to this unit the link accepts: likewise. */
  invites?: string
  /** The policy or ticket whose history it belongs to. */
  about?: string
  attachments?: MailAttachment[]
  /** Where an answer goes, if not to the unit. */
  replyTo?: string | undefined
  /** The job that causes it: done a second time, it writes no second mail. */
  causedBy?: Job
}

/** Writes a mail in the transaction of what causes it. One recipient each; it leaves when the transaction has committed. */
export async function queueMail(world: World, tx: UnitTx, mail: Mail): Promise<string> {
  if (!isOneAddress(mail.to.address)) throw new TypeError('a mail needs one plain address')
  const { locale, params, passwordOf, invites, replyTo, causedBy } = mail
  const id = causedBy?.id ?? world.ids.next()
  const written = await tx
    .insertInto('mails')
    .values({
      id,
      at: world.clock.now(),
      template: mail.template,
      about: mail.about ?? null,
      recipient_name: oneLine(mail.to.name),
      recipient_address: mail.to.address,
      content: JSON.stringify({
        locale,
        params,
        ...(passwordOf ? { passwordOf } : {}),
        ...(invites ? { invites } : {}),
        ...(replyTo ? { replyTo } : {}),
      }),
      attachments: JSON.stringify(mail.attachments ?? []),
      state: 'queued',
    })
    .onConflict(conflict => conflict.columns(['business_unit_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (written) await world.outbox.publish(tx, mailWritten, { mailId: id })
  return id
}
