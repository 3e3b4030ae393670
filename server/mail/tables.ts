import type { Locale } from '#common/kit/locales.ts'
import type { Instant, InstantOrNull, Json, UnitId } from '#server/database/columns.ts'

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
