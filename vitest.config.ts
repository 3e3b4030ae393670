import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{common,server,portal,doubles,tools}/**/*.test.ts'],
    globalSetup: ['tools/test-database.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
