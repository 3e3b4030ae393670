import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillFolder } from '#server/kit/store/testing-copies.ts'
import { dumpOfTemplate } from '#server/kit/testing.ts'
import { environment, root } from './processes.ts'

// Starts the service by `npm run serve`, and stops it by a signal to npm or to all its processes.

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'))
  // Creating a database would take longer; server/config/own-folder.whole.test.ts starts a service without one.
  await fillFolder(join(folder, 'postgres'), dumpOfTemplate())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function serve(): Promise<{ npm: ChildProcess; address: URL }> {
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: root,
    env: { ...environment, LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  for await (const line of createInterface({ input: npm.stdout }))
    if (line.startsWith('ready ')) return { npm, address: new URL(line.slice(6)) }
  throw new Error('it ended before it was ready')
}

async function isClosed({ hostname, port }: URL): Promise<boolean> {
  const probe = connect(Number(port), hostname)
  const isRefused = await Promise.race([once(probe, 'connect').then(() => false), once(probe, 'error').then(() => true)]).catch(() => true)
  probe.destroy()
  return isRefused
}

const pidOf = ({ pid }: ChildProcess): number => pid ?? 0

test.each([
  ['npm', (npm: ChildProcess) => process.kill(pidOf(npm), 'SIGTERM')],
  ['every process of npm', (npm: ChildProcess) => process.kill(-pidOf(npm), 'SIGTERM')],
])('a signal to %s lets a request in flight finish', async (_name, stop) => {
  const { npm, address } = await serve()
  const body = '{"email":"unknown@azahar.example","password":"x"}'
  const socket = connect(Number(address.port), address.hostname)
  await once(socket, 'connect')
  let answer = ''
  socket.on('data', data => {
    answer += String(data)
  })
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: ${address.host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 100 Continue/)
  const exit = once(npm, 'exit')
  stop(npm)
  await expect.poll(() => isClosed(address)).toBe(true)
  socket.write(body)
  await once(socket, 'close')
  expect(answer).toMatch(/\r\nHTTP\/1\.1 401/)
  await exit
  await expect.poll(() => isClosed(address)).toBe(true)
})
