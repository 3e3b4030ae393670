import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openToOthers } from './own-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const server = join(import.meta.dirname, '..')
const { PATH = '', NODE_COMPILE_CACHE } = process.env
const service = (data: string) =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(server, 'main.ts')], {
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: data, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })

test('each entry that other users can read is named, with the command that corrects it', () => {
  const data = join(folder, "the agency's")
  expect(openToOthers(data)).toBeUndefined()
  mkdirSync(join(data, 'postgres/base/1'), { recursive: true })
  const file = join(data, 'postgres/base/1/112')
  writeFileSync(file, '')
  symlinkSync('elsewhere', join(data, 'link'))
  const close = () => execFileSync('sh', ['-c', openToOthers(data)?.split('Close it: ')[1] ?? 'false'])
  for (const [path, mode] of [
    [data, 0o710],
    [join(data, 'postgres'), 0o701],
    [file, 0o604],
    [file, 0o620],
  ] as const) {
    if (openToOthers(data)) close()
    expect(openToOthers(data)).toBeUndefined()
    chmodSync(path, mode)
    expect(openToOthers(data)).toContain(`0${mode.toString(8)}`)
  }
})

test('the service creates private files, and refuses a folder that others can read', async () => {
  const data = join(folder, 'data')
  const first = service(data)
  for await (const line of createInterface({ input: first.stdout })) if (line.startsWith('ready ')) break
  first.stdout.resume()
  const made = readdirSync(data, { recursive: true, encoding: 'utf8' })
  expect(made).toEqual(expect.arrayContaining(['secrets.key', 'owner.json', 'postgres/PG_VERSION']))
  expect(['', ...made].filter(name => statSync(join(data, name)).mode & 0o077)).toEqual([])
  first.kill('SIGKILL')
  await once(first, 'close')

  chmodSync(join(data, 'secrets.key'), 0o644)
  const programs = ['main.ts', 'database/backup-command.ts']
  for (const program of programs) {
    const run = () =>
      execFileSync(process.execPath, [join(server, program), 'backup', join(folder, 'copy')], {
        env: { PATH, DATA_DIR: data, PORT: '0' },
        stdio: 'pipe',
      })
    expect(run, program).toThrow(
      `Not done: others on this machine may look into ${data} (secrets.key is 0644). Close it: chmod -R go= '${data}'`,
    )
  }
})
