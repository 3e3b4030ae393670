import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fillFolder } from './kit/store/testing-copies.ts'
import { dumpOfTemplate } from './kit/testing.ts'

// These tests see the service as a supervisor does: a process with output lines and an exit status.

let folder: string
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'main-'))
  await fill(folder)
})
afterEach(() => children.splice(0).forEach(child => child.kill('SIGKILL')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(environment: Record<string, string>): ChildProcess {
  const child = spawned(environment)
  children.push(child)
  return child
}

/** Copies the template, because creating a database takes longer: server/config/own-folder.whole.test.ts starts a service without one. */
const fill = (dataDir: string) => fillFolder(join(dataDir, 'postgres'), dumpOfTemplate())

const filesCommand = join(import.meta.dirname, 'documents/marker/files-command.ts')

const environmentOf = (dataDir: string) => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  LOG_LEVEL: 'silent',
  PORT: '0',
  DATA_DIR: dataDir,
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
})

function spawned(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...environmentOf(folder), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

async function ready(child: ChildProcess): Promise<URL> {
  if (!child.stdout) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready ')) return new URL(line.slice(6))
  throw new Error('it ended before it was ready')
}

/** True if no process listens there any more. */
async function refuses(host: string, port: number): Promise<boolean> {
  const probe = connect(port, host)
  const refused = await Promise.race([once(probe, 'connect').then(() => false), once(probe, 'error').then(() => true)]).catch(() => true)
  probe.destroy()
  return refused
}

/** Waits for a process to end. Its output must be lines of the log, with level, machine and process. */
async function ended(child: ChildProcess): Promise<{ status: number; said: string }> {
  let said = ''
  child.stderr?.on('data', data => {
    said += String(data)
  })
  const [status] = await once(child, 'close')
  const lines = said.trim().split('\n')
  return { status, said: lines.map(line => messageIn(line, child)).join('\n') }
}

function messageIn(line: string, { pid }: ChildProcess): string {
  const { msg, ...rest } = JSON.parse(line)
  expect(rest).toEqual({ level: expect.stringMatching(/^(?:info|fatal)$/), node: hostname(), pid, time: expect.any(String) })
  return msg
}

describe('the running service', () => {
  let service: ChildProcess
  let address: URL
  beforeAll(async () => {
    service = spawned({})
    address = await ready(service)
  })
  afterAll(() => service.kill('SIGKILL'))

  test.each(['another port', 'the same port'])('refuses a second process on the same folder and %s', async port => {
    const { status, said } = await ended(start(port === 'the same port' ? { PORT: address.port } : {}))
    expect(status).toBe(1)
    expect(said.trim()).toBe(
      `The database folder ${folder} is in use by process ${service.pid}. Stop it, or choose another folder with DATA_DIR.`,
    )
  })

  test('a start on a port in use names the port and creates nothing', async () => {
    const other = join(folder, 'other')
    const { status, said } = await ended(start({ PORT: address.port, DATA_DIR: other }))
    expect(status).toBe(1)
    expect(said).toContain(`Port ${address.port} is taken by another program. Stop it, or choose another with PORT=…`)
    expect(existsSync(join(other, 'postgres'))).toBe(false)
  })

  // Stays last, because it ends the service that the other tests use.
  test('a running request is finished before the process exits', async () => {
    const { hostname, port } = address
    const body = '{"email":"nobody@azahar.example","password":"x"}'
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    let response = ''
    socket.on('data', data => {
      response += String(data)
    })
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await expect.poll(() => response).toMatch(/^HTTP\/1\.1 100 Continue/)
    // The service has begun to read this request, which still gets its response, and takes no new ones.
    const exit = once(service, 'exit')
    service.kill('SIGTERM')
    await expect.poll(() => refuses(hostname, Number(port))).toBe(true)
    // A supervisor that stops a process group sends the signal again: a repeated one must not cut off the response.
    service.kill('SIGTERM')
    service.kill('SIGINT')
    socket.write(body)
    await once(socket, 'close')
    expect(response).toMatch(/\r\nHTTP\/1\.1 401/)
    expect(await exit).toEqual([0, null])
  })
})

test('another installation’s file store is refused in one line until it is adopted', async () => {
  const own = mkdtempSync(join(folder, 'own-'))
  await fill(own)
  const stop = async (child: ChildProcess) => {
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  const first = start({ DATA_DIR: own })
  await ready(first)
  await stop(first)
  const emptied = join(own, 'files')
  rmSync(emptied, { recursive: true })
  const refused = await ended(start({ DATA_DIR: own }))
  expect([refused.status, refused.said.trim()]).toEqual([
    1,
    `The file store ${emptied} does not carry this installation's marker: it is another one, or was emptied. Set FILE_STORE to the right one, or take this one with \`npm run files -- adopt\`, which lists what is lost.`,
  ])
  const files = (verb: string) => spawnSync(process.execPath, [filesCommand, verb], { env: environmentOf(own), encoding: 'utf8' })
  expect([files('check').status, files('neither').status]).toEqual([1, 1])
  const adopted = files('adopt')
  expect([adopted.status, adopted.stderr]).toEqual([0, ''])
  expect(adopted.stdout.split('\n')).toEqual([
    `The file store ${emptied} is the installation’s from now on. Give all nodes this one; a node with another does not start any more.`,
    'Nothing is lost for good.',
    '',
  ])
  expect(files('check').status).toBe(0)
  const second = start({ DATA_DIR: own })
  await ready(second)
  await stop(second)
})

test('a start with wrong settings names each on a line', async () => {
  const { status, said } = await ended(start({ PORT: 'x', LOG_LEVEL: 'loud' }))
  expect(status).toBe(1)
  expect(said.trim().split('\n')).toEqual([
    'The configuration is not usable:',
    '  PORT must be a whole number',
    expect.stringContaining('  LOG_LEVEL must be one of'),
  ])
})

test('a start on a host that is not this machine names the host, not the database', async () => {
  const { status, said } = await ended(start({ HOST: '192.0.2.1' }))
  expect([status, said.trim()]).toEqual([1, '192.0.2.1 is no address of this machine. Choose another with HOST=…'])
})

test('a start without a database at the address says so in one line', async () => {
  const { status, said } = await ended(start({ DATABASE_URL: 'postgres://127.0.0.1:1/portolan' }))
  expect([status, said.trim()]).toEqual([1, 'No database answers at DATABASE_URL (ECONNREFUSED). Is it running, and is the address right?'])
})

test('the service exits when its parent process is gone', async () => {
  const child = start({})
  await ready(child)
  const exit = once(child, 'exit')
  child.disconnect()
  expect(await exit).toEqual([0, null])
})
