// The exports that other features may use (tools/import-boundaries.test.ts).
export { textOfHtml } from './html.ts'
export { addressOpening, deliveryOf, dropMails, type Mail, type MailAttachment, mailsAbout, mailWritten, queueMail } from './queries.ts'
export { opensQuotes } from './templates.ts'
export type { ClientLink, MailSoon, ValidityChecks } from './send.ts'
