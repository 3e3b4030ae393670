import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test.each([
  ['server/administration/work/jobs-command.ts', ['status']],
  ['server/administration/users/administrator-command.ts', ['ada@agency.test', 'Ada']],
  ['server/products/catalogue/catalogue-command.ts', ['load', join(root, 'catalogue')]],
  ['server/documents/marker/files-command.ts', ['check']],
])('%s says in one line that no database answers', (program, args) => {
  const run = () =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program), ...args], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATABASE_URL: 'postgres://127.0.0.1:1/portolan',
      },
      stdio: 'pipe',
      encoding: 'utf8',
      cwd: root,
    })
  expect(run).toThrow(/failed: [^\n]*\nNo database answers at DATABASE_URL \(ECONNREFUSED\)[^\n]*\n$/)
})
