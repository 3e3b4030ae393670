import { defineConfig } from 'vitest/config'

/** Components, frame, colours, weights, sign-in's screens, and what the browser makes of a sale, are the same whatever database stands behind. */
const same = process.env['TEST_DATABASE_URL']
  ? ['ui', 'shell', 'first-load', 'card-form', 'paste', 'people', 'sale', 'trip', 'sign-in', 'screens/axe', 'screens/failing'].map(
      name => `walks/${name}.walk.ts`,
    )
  : []

export default defineConfig({
  test: {
    include: ['walks/**/*.walk.ts'],
    exclude: same,
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
