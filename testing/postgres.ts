import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '#tools/until.ts'

/** A separate PostgreSQL server that can be killed, filled up and promoted. */
export type Postgres = {
  port: number
  folder: string
  /** Returns the URL of the database `portolan`, or of another on the same server. */
  url(database?: string): string
  start(): Promise<void>
  /** Shuts down cleanly. */
  stop(): Promise<void>
  /** Kills all processes at once, as a power cut would. */
  kill(): Promise<void>
  query(text: string, database?: string): Promise<Record<string, unknown>[]>
  remove(): Promise<void>
}

/** `folder`: reuses an existing cluster. `programs`: the folder of a version other than the newest installed one. */
type Options = { settings?: Record<string, string>; folder?: string; copyOf?: Postgres; programs?: string; database?: 'portolan' | 'none' }

/** Returns the program folder of the newest installed PostgreSQL, or undefined. */
export function postgresPrograms(): string | undefined {
  try {
    const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    return versions[0] && join('/usr/lib/postgresql', versions[0], 'bin')
  } catch {
    return undefined
  }
}

export async function startPostgres(options: Options = {}): Promise<Postgres> {
  const { settings = {}, folder, copyOf, programs = postgresPrograms(), database: first = 'portolan' } = options
  if (!programs) throw new Error('PostgreSQL is not installed: on Debian, apt-get install postgresql')
  const home = folder ?? mkdtempSync(join(tmpdir(), 'portolan-pg-'))
  const data = join(home, 'cluster')
  const exists = existsSync(data)
  mkdirSync(home, { recursive: true })
  const user = postgresUser()
  if (user) chownSync(home, user.uid, user.gid)
  // Safe: it is the same list.
  const quietly = { ...user, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'], cwd: home }
  if (copyOf)
    execFileSync(join(programs, 'pg_basebackup'), ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', copyOf.url('postgres')], quietly)
  else if (!exists)
    execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'], quietly)

  const port = await freePort()
  const serverSettings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    max_connections: '200',
    logging_collector: 'off',
    ...settings,
  }
  const args = ['-D', data, '-p', String(port), ...Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let server: ChildProcess | undefined
  const url = (database = 'portolan') => `postgres://postgres@127.0.0.1:${port}/${database}`

  const self: Postgres = {
    port,
    folder: home,
    url,
    async start() {
      await until('PostgreSQL’s start', () => {
        // A killed server may keep its shared memory for a moment. The new one then exits and is started again.
        if (!server || server.exitCode !== null || server.signalCode !== null)
          server = spawn(join(programs, 'postgres'), args, { ...user, stdio: 'ignore', cwd: home })
        return self.query('select 1', 'postgres').catch(() => undefined)
      })
    },
    stop: () => end(server, child => child.kill('SIGINT')),
    kill: () =>
      end(server, ({ pid = 0 }) => {
        for (const each of [pid, ...childrenOf(pid)]) killOne(each)
      }),
    async query(text, database) {
      const client = new pg.Client({ connectionString: url(database), connectionTimeoutMillis: 5_000 })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    },
    async remove() {
      await end(server, child => child.kill('SIGQUIT'))
      rmSync(home, { recursive: true, force: true })
    },
  }
  await self.start()
  if (!copyOf && !exists && first !== 'none') await self.query('create database portolan', 'postgres')
  return self
}

async function end(child: ChildProcess | undefined, signal: (child: ChildProcess) => void): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  signal(child)
  await exited
}

/** Returns the user `postgres` if this process is root, because PostgreSQL refuses to run as root. */
function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Returns the processes of a PostgreSQL server from /proc, read once. Each process leads its own session, so no group contains them all, and a killed
 * server may answer no query.
 */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const facts = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(facts.slice(facts.lastIndexOf(')') + 4).split(' ')[0]) === parent
      } catch {
        return false
      }
    })
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}
