import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'

export const findMail = (scope: Scope, tx: Tx, id: string) =>
  tx.selectFrom('mails').selectAll().where('business_unit_id', '=', scope.businessUnitId).where('id', '=', id).executeTakeFirst()

export const keepWritten = (scope: Scope, tx: Tx, id: string, mail: { subject: string; text: string; html: string }) =>
  tx
    .updateTable('mails')
    .set({ subject: mail.subject, text_body: mail.text, html_body: mail.html })
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .execute()

export const markMail = (
  scope: Scope,
  tx: Tx,
  id: string,
  state: { state: 'queued' | 'sent' | 'refused'; reason: string | null; finished_at: Date | null },
) => tx.updateTable('mails').set(state).where('business_unit_id', '=', scope.businessUnitId).where('id', '=', id).execute()
