/**
 * How long a test waits for a page or a poll, in milliseconds: long enough that a busy machine fails no test. A recorded break makes most of these
 * waits useless, so `npm run mutants` waits less.
 */
export const patience = Number(process.env['TEST_PATIENCE_MS'] ?? 60_000)
