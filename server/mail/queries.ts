import { sql, type SqlBool } from 'kysely'
import type { Locale } from '#common/kit/locales.ts'
import type { Instant, InstantOrNull, Json, UnitId } from '#server/kit/sql/tables.ts'
import type { World } from '#server/kit/app-context.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import { isOneAddress, oneLine } from '#server/kit/mail-address.ts'
import type { Job } from '#server/kit/work/outbox.ts'
import { forgets, type Params, type Template } from './templates.ts'

/** The input of a template: language, values, and the user whose password or invitation, or the policy, that its link concerns. */
export type MailContent = {
  locale: Locale
  params: Record<string, string | number>
  passwordOf?: string
  invites?: string
  opens?: string
  replyTo?: string
}
export type MailAttachment = { filename: string; contentType: string; size: number; fileId: string }

type MailTables = {
  mails: {
    business_unit_id: UnitId
    id: string
    at: Instant
    template: string
    /** The policy or ticket in whose history the email appears. */
    about: string | null
    recipient_name: string
    recipient_address: string
    subject: string | null
    /** Stored only without SMTP, where the development mailbox shows it. */
    text_body: string | null
    html_body: string | null
    attachments: Json<MailAttachment[]>
    content: Json<MailContent>
    /** withdrawn: dropped, as its content was outdated when it was to leave. */
    state: 'queued' | 'sent' | 'refused' | 'withdrawn'
    reason: string | null
    finished_at: InstantOrNull
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends MailTables {}
}

export type MailRow = NonNullable<Awaited<ReturnType<typeof findMail>>>

export const findMail = (tx: UnitTx, id: string) => tx.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()

type MailState = { state: 'queued' | 'sent' | 'refused' | 'withdrawn'; reason: string | null; finished_at: Date | null } & Partial<Words>
type Words = { subject: string; text_body: string | null; html_body: string | null }

/**
 * Sets an email's state, with its text if it was written. A sent email stays sent, whatever a slower worker reports, and a withdrawn one is not queued
 * again.
 */
export async function markMail(tx: UnitTx, id: string, state: MailState): Promise<void> {
  const marked = await tx
    .updateTable('mails')
    .set(state)
    .where('id', '=', id)
    .where('state', 'not in', state.state === 'queued' ? ['sent', 'withdrawn'] : ['sent'])
    .returning('template')
    .executeTakeFirst()
  if (marked && state.state !== 'queued' && forgets(marked.template)) await forgetReader(tx, id)
}

const forgetReader = (tx: UnitTx, id: string) =>
  tx
    .updateTable('mails')
    .set({
      recipient_name: '',
      recipient_address: '',
      text_body: null,
      html_body: null,
      attachments: '[]',
      content: sql<string>`jsonb_set('{"locale":null,"params":{}}', '{locale}', coalesce(content->'locale', 'null'))`,
    })
    .where('id', '=', id)
    .execute()

/** Drops the queued emails of these templates about a policy, in the caller's transaction. Returns the files that they would have brought. */
export async function dropMails(tx: UnitTx, about: string, templates: readonly Template[], now: Date): Promise<MailAttachment[]> {
  const gone = await tx
    .updateTable('mails')
    .set({ state: 'withdrawn', finished_at: now })
    .where('about', '=', about)
    .where('state', '=', 'queued')
    .where('template', 'in', templates)
    .returning('attachments')
    .execute()
  return gone.flatMap(({ attachments }) => attachments)
}

/** Stores the sizes of files that were made after their email was queued. */
export const storeSizes = (tx: UnitTx, id: string, attachments: MailAttachment[]) =>
  tx
    .updateTable('mails')
    .set({ attachments: JSON.stringify(attachments) })
    .where('id', '=', id)
    .execute()

/** Returns the stored emails of all units, the newest first. */
export const storedMails = (tx: ServiceTx) =>
  tx.selectFrom('mails').selectAll().where('text_body', 'is not', null).orderBy('at', 'desc').orderBy('id', 'desc').limit(200).execute()

/** Returns when an email about a policy first left, and whether one was refused for good. */
export const deliveryOf = (tx: UnitTx, about: string, template: Template) =>
  tx
    .selectFrom('mails')
    .where('about', '=', about)
    .where('template', '=', template)
    .select([
      sql<Date | null>`min(finished_at) filter (where state = 'sent')`.as('sentAt'),
      sql<boolean>`coalesce(bool_or(state = 'refused'), false)`.as('refused'),
    ])
    .executeTakeFirstOrThrow()

/** Returns the emails about a policy or ticket, the newest first. */
export const mailsAbout = (tx: UnitTx, about: string) =>
  tx
    .selectFrom('mails')
    .select(['id', 'at', 'template', 'recipient_address', 'subject', 'state', 'reason', 'attachments'])
    .where('about', '=', about)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()

/** Returns the address to which an email about a policy was to bring this link. */
export async function addressOpening(tx: UnitTx, about: string, opens: string): Promise<string | undefined> {
  const mail = tx.selectFrom('mails').select('recipient_address').where('about', '=', about)
  return (await mail.where(sql<SqlBool>`content->>'opens' = ${opens}`).executeTakeFirst())?.recipient_address
}

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
  /** The job, or the stable id, that writes the email. Repeated, it writes no second email. */
  causedBy?: Pick<Job, 'id'>
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
