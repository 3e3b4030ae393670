import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/suite/longest-first.ts'
import { patience } from './tools/suite/patience.ts'
import { projects } from './tools/suite/projects.ts'
import { specRows } from './tools/suite/spec-rows.ts'
import { messages } from './tools/vite-messages.ts'

/** One more than there are cores: a test waits for its browser, its documents or a hashed password a third of its time. */
const workers = availableParallelism() + 1
/** End-to-end tests run a browser and a service each. Beyond four at once they wait for each other. */
const browsers = Math.min(workers, 4)
const hasBrowser = (name: string): boolean => name === 'e2e' || name === 'looks'

export default defineConfig({
  test: {
    // Generous, so that a busy machine fails no test. No test measures time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: patience } },
    // CI prints only the first line of a failure.
    chaiConfig: { truncateThreshold: 400 },
    // Every test has a database and an app of its own (server/kit/store/testing-copies.ts). Own modules too would double the time.
    isolate: false,
    restoreMocks: true,
    tags: specRows().map(({ id }) => ({ name: id })),
    sequence: { sequencer: LongestFirst },
    setupFiles: ['tools/suite/clock.ts', 'tools/suite/seed-tests.ts'],
    projects: projects.map(({ name, include, exclude }) => ({
      extends: true as const,
      plugins: name === 'portal' ? [messages()] : [],
      test: {
        name,
        include,
        exclude: ['**/node_modules/**', ...exclude],
        setupFiles: name === 'portal' ? ['portal/screen/testing-setup.ts'] : [],
        // It looks as it is loaded if there is a document, so each page of a test loads its own.
        server: { deps: { inline: name === 'portal' ? [/\/react-hook-form\//] : [] } },
        globalSetup: name === 'rules' ? [] : ['tools/suite/setup.ts'],
        maxWorkers: hasBrowser(name) ? browsers : workers,
        // vitest runs projects with another number of workers one group after the other.
        sequence: { groupOrder: hasBrowser(name) && browsers < workers ? 1 : 0 },
      },
    })),
  },
})
