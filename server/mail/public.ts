// The exports that other features may use (tools/import-boundaries.test.ts).
export { textOfHtml } from './html.ts'
export { deliveryOf, mailsAbout, dropMails } from './queries.ts'
export { mailWritten, queueMail, type Mail } from './queue.ts'
export type { ClientLink, MailSoon, ValidityChecks } from './send.ts'
export type { MailAttachment } from './tables.ts'
