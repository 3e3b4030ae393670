/**
 * How long a test waits for what a page or a poll must show, in milliseconds: generous, so that a busy machine fails no test. A recorded break makes most
 * of these waits vain, so `npm run mutants` waits less.
 */
export const patience = Number(process.env['TEST_PATIENCE_MS'] ?? 60_000)
