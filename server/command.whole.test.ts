import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Runs a command on a database that does not answer. */
const run = (program: string, args: string[], environment: Record<string, string> = {}) =>
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program), ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: 'postgres://127.0.0.1:1/portolan',
      ...environment,
    },
    stdio: 'pipe',
    encoding: 'utf8',
    cwd: root,
  })

test('a command leaves the data folder to its owner, also where root runs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'files'), { mode: 0o700 })
  writeFileSync(join(folder, 'files', 'portolan-store'), 'x', { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(folder, 4321, 4321)
  expect(() => run('server/documents/marker/files-command.ts', ['adopt'], { DATA_DIR: folder })).toThrow('No database answers')
  const owners = ['', 'files', 'files/portolan-store'].map(name => statSync(join(folder, name)).uid)
  expect(new Set(owners).size).toBe(1)
})

// Each in a process of its own: a line that is still being written may come after the last line of a process.
test.each([
  { what: 'a warning of Node', does: "process.emitWarning('too many listeners')", status: 0, level: 'warn', message: 'too many listeners' },
  { what: 'an error that nothing catches', does: "throw new Error('a defect')", status: 1, level: 'fatal', message: 'a defect' },
])('$what is a line of the log', ({ does, status, level, message }) => {
  const program = `
    import { logForNode, openLog } from './server/kit/log.ts'
    logForNode(openLog('info'))
    setTimeout(() => { ${does} }, 0)`
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8' })
  expect([ended.status, ended.stderr]).toEqual([status, ''])
  expect(JSON.parse(ended.stdout)).toMatchObject({ level, err: { message, stack: expect.stringContaining(message) } })
})

test.each([
  ['server/administration/work/jobs-command.ts', ['status']],
  ['server/administration/users/administrator-command.ts', ['ada@agency.test', 'Ada']],
  ['server/products/catalogue/catalogue-command.ts', ['load', join(root, 'catalogue')]],
  ['server/documents/marker/files-command.ts', ['check']],
])('%s says in one line that no database answers', (program, args) => {
  expect(() => run(program, args)).toThrow(/failed: [^\n]*\nNo database answers at DATABASE_URL \(ECONNREFUSED\)[^\n]*\n$/)
})
