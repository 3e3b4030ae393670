import { defineConfig } from 'vitest/config'

/** A server is asked what asks a database; the rest has no other answer on it. */
const rooms = process.env['TEST_DATABASE_URL']
  ? 'attacks,fakes,fault-tests,server'
  : 'attacks,bench,common,fakes,fault-tests,portal,server,tools'

/** These are about the embedded database, whatever the tests run on. */
const embeddedAlone = ['server/main.test.ts', 'server/kit/store/embedded.test.ts']
const exclude = ['**/node_modules/**', ...(process.env['TEST_DATABASE_URL'] ? embeddedAlone : [])]

export default defineConfig({
  test: {
    include: [`{${rooms}}/**/*.test.ts`],
    exclude,
    globalSetup: ['tools/test-database.ts'],
    setupFiles: ['tools/test-clock.ts'],
    // Patience, not measure: on a busy machine a process may take a minute to start. No test is about how long something takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Every test has a database and an app of its own already (kit/store/testing-copies.ts); modules of its own too would double the time of it all.
    isolate: false,
    restoreMocks: true,
    // Every core: left to itself, one is kept free for whoever watches.
    maxWorkers: '100%',
  },
})
