import type { ServiceTx, UnitTx } from '#server/kit/database.ts'

export const findMail = (tx: UnitTx, id: string) => tx.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()

export const storeWritten = (tx: UnitTx, id: string, mail: { subject: string; text_body: string | null; html_body: string | null }) =>
  tx.updateTable('mails').set(mail).where('id', '=', id).execute()

type MailState = { state: 'queued' | 'sent' | 'refused' | 'withdrawn'; reason: string | null; finished_at: Date | null }

/** Sets an email's state. A sent one stays sent, whatever a slower worker reports. */
export const markMail = (tx: UnitTx, id: string, state: MailState) =>
  tx.updateTable('mails').set(state).where('id', '=', id).where('state', '!=', 'sent').execute()

/** Returns the stored emails of all units, the newest first. */
export const storedMails = (tx: ServiceTx) =>
  tx.selectFrom('mails').selectAll().where('text_body', 'is not', null).orderBy('at', 'desc').orderBy('id', 'desc').limit(200).execute()

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
