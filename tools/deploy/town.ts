import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { freePort, type Postgres, startPostgres } from '#testing/postgres.ts'
import { root } from '../processes.ts'
import { pack } from '../release/pack.ts'
import { endAll, type Node, prepare, serve, unpack } from '../release/unpacked.ts'
import { compose, nodeEnvironment } from './samples.ts'

/** The topology of compose.yaml as processes: PostgreSQL, a mailbox, and two nodes with its settings. */
export type Town = {
  release: string
  archive: string
  folder: string
  mailbox: Mailbox
  nodes: Node[]
  ports: number[]
  /** The token with which the first administrator chooses a password. */
  token: string
  start(index: number, changes?: Record<string, string>): Promise<void>
  stop(index: number): Promise<number | null>
  close(): Promise<void>
}

export async function openTown(origin: string): Promise<Town> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-deploy-'))
  const archive = await pack(join(folder, 'release'))
  const release = unpack(archive, join(folder, 'unpacked'))
  const postgres: Postgres = await startPostgres({ database: 'none' })
  const ownerPassword = join(folder, 'owner-password')
  writeFileSync(ownerPassword, 'choose-one')
  const asImage = { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(postgres.port), OWNER_PASSWORD_FILE: ownerPassword }
  execFileSync(join(root, 'deploy/database.sh'), { env: asImage, stdio: ['ignore', 'ignore', 'inherit'] })
  const mailbox = await openMailbox()
  const ports = [await freePort(), await freePort()]
  const environment = { ...environmentOf(folder, postgres, mailbox), PUBLIC_URL: origin }
  async function close(): Promise<void> {
    endAll()
    await mailbox.close()
    await postgres.remove()
    execFileSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  async function orClose<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      await close()
      throw error
    }
  }
  const token = await orClose(prepare(release, environment))
  const nodes: Node[] = []
  const start = async (index: number, changes: Record<string, string> = {}): Promise<void> => {
    nodes[index] = await serve(release, { ...environment, PORT: String(ports[index]), ...changes })
  }
  const stop = async (index: number): Promise<number | null> => (await nodes[index]?.stop()) ?? null
  await orClose(Promise.all([start(0), start(1)]))
  return {
    release,
    archive,
    folder,
    mailbox,
    nodes,
    ports,
    token,
    start,
    stop,
    close,
  }
}

/** Replaces container names by loopback addresses and mounts by local folders. All else is unchanged. */
function environmentOf(folder: string, postgres: Postgres, mailbox: Mailbox): Record<string, string> {
  const secrets: Record<string, string> = {
    'database-url': postgres.url().replace('postgres@', 'portolan:choose-one@'),
    'secrets-key': randomBytes(32).toString('base64'),
    'smtp-url': mailbox.url,
  }
  const kept = join(folder, 'kept')
  const places: Record<string, string> = { '/run/secrets/': `${folder}/secrets/`, '/var/lib/portolan': kept }
  mkdirSync(join(folder, 'secrets'), { recursive: true })
  mkdirSync(kept, { mode: 0o700 })
  for (const name of compose().services.one.secrets) writeFileSync(join(folder, 'secrets', name), secrets[name] ?? '', { mode: 0o600 })
  const moved = (value: string) => Object.entries(places).reduce((text, [from, to]) => text.replace(from, to), value)
  const mapped = Object.entries(nodeEnvironment()).map(([name, value]) => [name, moved(value)] as const)
  // Four sellers share one user and sell as fast as they can.
  return { ...Object.fromEntries(mapped), HOST: '127.0.0.1', SALES_PER_MINUTE: '100000/100000', MAILS_PER_MINUTE: '100000/100000' }
}
