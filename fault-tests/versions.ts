import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultTest, Result } from './fault-test.ts'
import { asker, sell, signIn } from '#testing/agent.ts'
import { administratorsSql } from '#testing/roles.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { startService } from '#testing/service.ts'
import { postgresVersions } from './harness/versions.ts'

const root = join(import.meta.dirname, '..')
const command = join(root, 'server/database/backup-command.ts')

async function onVersion(version: string, programs: string): Promise<string[]> {
  const postgres = await startPostgres({ programs, database: 'none' })
  const folder = mkdtempSync(join(tmpdir(), 'portolan-version-'))
  try {
    return await sellAndRestore(postgres, folder, version)
  } finally {
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sellAndRestore(postgres: Postgres, folder: string, version: string): Promise<string[]> {
  for (const statement of administratorsSql()) await postgres.query(statement, 'postgres')
  const url = (database: string) => postgres.url(database).replace('postgres@', 'portolan:choose-one@')
  const [rights] = await postgres.query(
    `select rolsuper or rolcreaterole or rolbypassrls as strong from pg_roles where rolname = 'portolan'`,
    'postgres',
  )
  const [server] = await postgres.query('show server_version', 'postgres')
  const problems: string[] = []
  const expect = (is: boolean, fault: string) => void (is || problems.push(`${version}: ${fault}`))
  expect(rights?.['strong'] === false, 'the user has more rights than documented')
  expect(String(server?.['server_version']).startsWith(version), `the server is ${String(server?.['server_version'])}`)

  const number = await sellOne(url('portolan'), folder)
  const sold = (database: string) =>
    postgres.query(`select number from policies where status = 'purchased'`, database).then(rows => rows.map(row => row['number']))
  expect((await sold('portolan')).join() === number, 'the sale is missing')
  const copy = join(folder, 'copy')
  runBackup('backup', copy, url('portolan'), folder)
  await postgres.query('create database restored owner portolan', 'postgres')
  runBackup('restore', copy, url('restored'), folder)
  expect((await sold('restored')).join() === number, 'the sale was not restored')
  const next = await sellOne(url('restored'), folder)
  expect(next !== number && (await sold('restored')).length === 2, 'the restored database sells nothing')
  return problems
}

/** Starts the server, which migrates the database, and sells one policy. */
async function sellOne(databaseUrl: string, folder: string): Promise<string> {
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'error' }
  const node = await startService({ environment })
  try {
    const agent = await signIn(
      asker(() => node.origin),
      'agent@azahar.example',
    )
    return (await sell(agent)).policyData.policyNumber
  } finally {
    await node.stop()
  }
}

function runBackup(verb: 'backup' | 'restore', file: string, url: string, folder: string): void {
  const environment = { ...process.env, DATA_DIR: folder, DATABASE_URL: url }
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, verb, file], { env: environment, stdio: 'pipe' })
}

export const versions: FaultTest[] = [
  {
    id: 'versions',
    title: 'PostgreSQL 15 to 18 with a user without CREATEROLE',
    invariant: 'on every version the roles created by an administrator suffice for migrations, a sale, a backup and a restore',
    async run(): Promise<Result> {
      const problems: string[] = []
      const versions = postgresVersions()
      for (const { version, programs } of versions)
        problems.push(...(await onVersion(version, programs).catch((error: unknown) => [`${version}: ${String(error)}`])))
      return { counts: { versions: versions.map(({ version }) => version).join(' ') }, problems }
    },
  },
]
