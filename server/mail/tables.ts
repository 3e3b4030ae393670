import type { Locale } from '#common/kit/locales.ts'
import type { Instant, InstantOrNull, Json, UnitId } from '#server/database/columns.ts'

/** What a template needs to be written out: its language, its own values, and whose password its link chooses or whose invitation it accepts. */
export type MailContent = {
  locale: Locale
  params: Record<string, string | number>
  passwordOf?: string
  invites?: string
  replyTo?: string
}
export type MailAttachment = { filename: string; contentType: string; size: number; fileId: string }

type MailTables = {
  mails: {
    business_unit_id: UnitId
    id: string
    at: Instant
    template: string
    /** The policy or ticket whose history it belongs to. */
    about: string | null
    recipient_name: string
    recipient_address: string
    subject: string | null
    /** Kept in the demo only, where nothing else shows what was written. */
    text_body: string | null
    html_body: string | null
    attachments: Json<MailAttachment[]>
    content: Json<MailContent>
    /** withdrawn: when it was to leave, what it says was so no longer. */
    state: 'queued' | 'sent' | 'refused' | 'withdrawn'
    reason: string | null
    finished_at: InstantOrNull
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends MailTables {}
}
