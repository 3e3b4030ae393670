import { defineConfig } from 'vitest/config'

/** On a server a sale and the lists are walked through; what the browser makes of the rest is the same whatever database stands behind. */
const walked = process.env['TEST_DATABASE_URL'] ? ['e2e/{funnel,policies}.e2e.ts'] : ['e2e/**/*.e2e.ts']

export default defineConfig({
  test: {
    include: walked,
    globalSetup: ['tools/test-database.ts'],
    // Patience, not measure: no walk is about how long something takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
    // A browser and a service each: more at once only wait for one another.
    maxWorkers: 2,
  },
})
