import { sql } from 'kysely'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { MailAttachment } from './tables.ts'
import { forgets, type Template } from './templates.ts'

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
    .select(['id', 'at', 'recipient_address', 'subject', 'state', 'reason', 'attachments'])
    .where('about', '=', about)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
