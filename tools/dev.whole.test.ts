import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#testing/postgres.ts'
import { fillFolder } from '#server/kit/store/testing-copies.ts'
import { dumpOfTemplate } from '#server/kit/testing.ts'
import { environment, root } from './processes.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dev-'))
  // Creating a database would take longer; server/config/own-folder.whole.test.ts starts a service without one.
  await fillFolder(join(folder, 'postgres'), dumpOfTemplate())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns a free port whose successor is also free, as the service behind the portal uses that. */
async function freePair(): Promise<number> {
  const port = await freePort()
  return port < 65_535 ? port : freePair()
}

async function develop(): Promise<{ dev: ChildProcess; port: number; ready: () => Promise<string> }> {
  const port = await freePair()
  const env = { ...environment, LOG_LEVEL: 'silent', PORT: String(port), DATA_DIR: folder }
  const dev = spawn(process.execPath, [join(root, 'tools/dev.ts')], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ready = async () => {
    for await (const line of createInterface({ input: dev.stdout })) if (line.startsWith('ready ')) return line
    throw new Error('it ended before it was ready')
  }
  return { dev, port, ready }
}

test('development prints the portal’s URL, and a second one on the same data fails', async () => {
  const first = await develop()
  expect(await first.ready()).toBe(`ready http://127.0.0.1:${first.port}, with the service at http://127.0.0.1:${first.port + 1}`)
  expect((await fetch(`http://127.0.0.1:${first.port}/health/ready`)).status).toBe(200)
  const second = await develop()
  expect(await once(second.dev, 'exit')).toEqual([1, null])
  const exit = once(first.dev, 'exit')
  first.dev.kill('SIGTERM')
  await exit
})
