import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{attacks,bench,common,doubles,drills,portal,server,tools}/**/*.test.ts'],
    globalSetup: ['tools/test-database.ts'],
    // Patience, not measure: on a busy machine a process may take a minute to start. No test is about how long something takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
