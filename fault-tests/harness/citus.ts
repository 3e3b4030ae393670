import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Postgres, postgresPrograms, startPostgres } from '#testing/postgres.ts'

/** A Citus cluster: the first machine, to which the service connects, and those with the units' rows. */
export type Citus = { first: Postgres; workers: Postgres[]; remove(): Promise<void> }

/** Returns the checkout of citusdata/citus v13.2.2 named by CITUS_CHECKOUT, or undefined. */
export const citusCheckout = (): string | undefined => process.env['CITUS_CHECKOUT']

/**
 * Builds and installs Citus, unless it is installed. This takes minutes, root, postgresql-server-dev-15, a C compiler, and the headers of liblz4,
 * libzstd, libpam, libselinux and libkrb5. The checkout itself is not changed.
 */
export function installCitus(checkout: string): void {
  const config = join(postgresPrograms() ?? '', 'pg_config')
  const libraries = execFileSync(config, ['--pkglibdir'], { encoding: 'utf8' }).trim()
  if (existsSync(join(libraries, 'citus.so'))) return
  const home = mkdtempSync(join(tmpdir(), 'portolan-citus-'))
  try {
    cpSync(checkout, home, { recursive: true })
    // Since 15.20 PostgreSQL itself exports a function of this name.
    for (const file of ['src/include/pg_version_compat.h', 'src/backend/distributed/commands/serialize_distributed_ddls.c']) {
      const path = join(home, file)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('have_createdb_privilege', 'may_create_databases'))
    }
    const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
    run(join(home, 'configure'), '--without-libcurl', `PG_CONFIG=${config}`)
    run('make', '-j2', 'install')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const settings = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '200',
  // The time after which a transaction that a machine's crash left half committed is ended. A minute is usual.
  'citus.recover_2pc_interval': '1s',
  'citus.node_conninfo': 'sslmode=disable',
}

export async function startCitus(workers: number): Promise<Citus> {
  const all: Postgres[] = []
  const remove = async () => {
    for (const postgres of all) await postgres.remove()
  }
  try {
    for (let machine = 0; machine <= workers; machine++) all.push(await startPostgres({ settings }))
    for (const postgres of all) await postgres.query('create extension citus')
    const [first, ...others] = all
    if (!first) throw new Error('a cluster has at least one machine')
    await first.query(`select citus_set_coordinator_host('127.0.0.1', ${first.port})`)
    for (const { port } of others) await first.query(`select citus_add_node('127.0.0.1', ${port})`)
    return { first, workers: others, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Runs an operator's command on a database, and returns its output. */
export function command(script: string, args: string[], url: string, folder: string): string {
  const file = join(dirname(import.meta.dirname), '..', script)
  const environment = { ...process.env, DATA_DIR: folder, DATABASE_URL: url }
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
