import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['walks/**/*.walk.ts'],
    globalSetup: ['tools/test-database.ts'],
    // Patience, not measure: no walk is about how long something takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // A browser and a service each: more at once only wait for one another.
    maxWorkers: 2,
  },
})
