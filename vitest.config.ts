import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{common,server,portal,doubles,tools}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
