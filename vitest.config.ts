import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{attacks,bench,common,doubles,drills,portal,server,tools}/**/*.test.ts'],
    globalSetup: ['tools/test-database.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
