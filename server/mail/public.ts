// All that other features may use of this one (tools/import-boundaries.test.ts).
export { addressOf, isOneAddress, oneLine } from './address.ts'
export { wordsOfHtml } from './html.ts'
export { mailsAbout } from './queries.ts'
export { mailWritten, queueMail, type Mail } from './queue.ts'
export type { Standing } from './send.ts'
