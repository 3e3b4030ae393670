import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['walks/**/*.walk.ts'],
    globalSetup: ['tools/test-database.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser and a service each: more at once only wait for one another.
    maxWorkers: 2,
  },
})
