import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, asker, signIn } from '#testing/agent.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { type Service, startService } from '#testing/service.ts'

/** A server in its own process with a signed-in seller. */
export type Setup = { service: Service; agent: Agent; postgres: Postgres | undefined; folder: string; stop(): Promise<void> }

/** The key of all services, because several use one database in turn. */
export const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64')

/** Default settings, but without quotas and without the info log, whose reader would also be measured. */
const environment = {
  LOG_LEVEL: 'warn',
  SECRETS_KEY,
  RATE_LIMIT_PER_MINUTE: '10000000',
  QUOTES_PER_MINUTE: '10000000/10000000',
  SALES_PER_MINUTE: '10000000/10000000',
  MAILS_PER_MINUTE: '10000000/10000000',
  EXPORTS_PER_MINUTE: '1000/1000',
}

/** Starts PostgreSQL with its defaults (fsync on) and the memory of a small server. */
export const startDatabase = (folder?: string): Promise<Postgres> =>
  startPostgres({ settings: { shared_buffers: '256MB', effective_cache_size: '1GB' }, ...(folder ? { folder } : {}) })

export async function openSetup(
  postgres: Postgres | undefined,
  changes: Record<string, string> = {},
  node: string[] = [],
  code?: string,
): Promise<Setup> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  // The files are kept next to the database that refers to them.
  const files = postgres && `file:${join(postgres.folder, 'files')}`
  const locations = { DATA_DIR: folder, ...(files ? { DATABASE_URL: postgres.url(), FILE_STORE: files } : {}) }
  const service = await startService({
    program: 'testing/node.ts',
    node,
    code,
    environment: { ...environment, ...locations, ...changes },
  })
  const agent = await signIn(
    asker(() => service.origin),
    'agent@azahar.example',
  )
  return {
    service,
    agent,
    postgres,
    folder,
    async stop() {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies the seeded database, for use without a server. */
export async function copyDatabase(postgres: Postgres, name: string): Promise<void> {
  await postgres.query(`create database ${name} template portolan`, 'postgres')
}
