import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, asker, signIn } from '#fault-tests/harness/agent.ts'
import { type Postgres, startPostgres } from '#fault-tests/harness/postgres.ts'
import { type Service, startService } from '#fault-tests/harness/service.ts'

/** What is measured: the service in a process of its own, and a seller signed in to it. */
export type Ground = { service: Service; agent: Agent; postgres: Postgres | undefined; folder: string; stop(): Promise<void> }

/** Logging of what went well is off, since its reader would be measured too; everything else is as it is delivered. */
const environment = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_MINUTE: '10000000',
  QUOTES_PER_MINUTE: '10000000/10000000',
  SALES_PER_MINUTE: '10000000/10000000',
  MAILS_PER_MINUTE: '10000000/10000000',
  EXPORTS_PER_MINUTE: '1000/1000',
}

/** PostgreSQL as it comes, which is with fsync on; only its memory is set to what a small server has. */
export const startDatabase = (folder?: string): Promise<Postgres> =>
  startPostgres({ settings: { shared_buffers: '256MB', effective_cache_size: '1GB' }, ...(folder ? { folder } : {}) })

export async function openGround(
  postgres: Postgres | undefined,
  changes: Record<string, string> = {},
  node: string[] = [],
): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  // Files go with the database that knows of them.
  const files = postgres && `file:${join(postgres.folder, 'files')}`
  const place = { DATA_DIR: folder, ...(files ? { DATABASE_URL: postgres.url(), FILE_STORE: files } : {}) }
  const service = await startService({
    program: 'fault-tests/harness/node.ts',
    node,
    environment: { ...environment, ...place, ...changes },
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

/** A database with schema and demo in it, and a copy of it that no service works on. */
export async function copyDatabase(postgres: Postgres, name: string): Promise<void> {
  await postgres.query(`create database ${name} template portolan`, 'postgres')
}
