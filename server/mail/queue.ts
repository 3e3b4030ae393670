import type { Locale } from '#common/kit/locales.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Job } from '#server/kit/work/outbox.ts'
import { isOneAddress, oneLine } from '../kit/mail-address.ts'
import type { MailRow } from './queries.ts'
import type { MailAttachment } from './tables.ts'
import type { Params, Template } from './templates.ts'

export const mailWritten = 'mail.written'

export type Mail = {
  to: { name: string; address: string }
  template: Template
  locale: Locale
  params: Params
  /** The user whose password the link sets. Only the email itself ever contains the link. */
  passwordOf?: string
  /** The user whose invitation to this unit the link accepts. */
  invites?: string
  /** The policy whose page the link opens for its client, or the copy that it opens for a person. */
  opens?: string
  /** The policy or ticket in whose history the email appears. */
  about?: string
  attachments?: MailAttachment[]
  /** The reply address, if it is not the unit's. */
  replyTo?: string | undefined
  /** The job that writes the email. Repeating the job writes no second email. */
  causedBy?: Job
}

/** Queues an email to one recipient, in the caller's transaction. It leaves after the commit. */
export async function queueMail(world: World, tx: UnitTx, mail: Mail): Promise<string> {
  const { id, row } = await insertMail(world, tx, mail)
  if (row) await world.outbox.publish(tx, mailWritten, { mailId: id })
  return id
}

/** Inserts the row of an email. Returns none if the email's job has inserted it before. */
export async function insertMail(world: World, tx: UnitTx, mail: Mail): Promise<{ id: string; row: MailRow | undefined }> {
  if (!isOneAddress(mail.to.address)) throw new TypeError('a mail needs one plain address')
  const { locale, params, passwordOf, invites, opens, replyTo, causedBy } = mail
  const id = causedBy?.id ?? world.ids.next()
  const row = await tx
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
        ...(opens ? { opens } : {}),
        ...(replyTo ? { replyTo } : {}),
      }),
      attachments: JSON.stringify(mail.attachments ?? []),
      state: 'queued',
    })
    .onConflict(conflict => conflict.columns(['business_unit_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return { id, row }
}
