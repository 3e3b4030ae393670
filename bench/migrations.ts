import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/kit/database.ts'
import { type Figure, withoutBaseline } from './compare.ts'
import { seed } from './filled.ts'
import { startDatabase } from './setup.ts'

/** Measures the time of each migration since an earlier commit. That commit's code fills the database with policies. */
export async function benchMigrations(policies: number, commit: string): Promise<Figure[]> {
  const postgres = await startDatabase()
  fillByFormer(commit, policies, postgres.url())
  await postgres.query('analyze')
  const database = await openDatabase({ DATABASE_URL: postgres.url(), DATABASE_POOL: 2, DATA_DIR: '' })
  const times = timeMigrations(database.pool)
  const began = performance.now()
  const names = await migrate(database)
  const all = (performance.now() - began) / 1000
  await database.close()
  await postgres.remove()
  if (names.length === 0) throw new Error(`there is no migration since ${commit}`)
  const figure = (work: string, seconds: number) =>
    withoutBaseline({ work: `${work}, ${policies} policies`, unit: ' s', target: '–' }, seconds, () => true)
  return [...names.map(name => figure(name, times.get(name) ?? Number.NaN)), figure('all of them', all)]
}

/** Checks out the earlier code, and lets it migrate and fill the database. */
function fillByFormer(commit: string, policies: number, databaseUrl: string): void {
  const root = join(import.meta.dirname, '..')
  const folder = mkdtempSync(join(tmpdir(), 'portolan-former-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1_000_000_000 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  seed({ policies, others: 0 }, { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data') }, { code: folder })
  rmSync(folder, { recursive: true })
}

/** Adds up the time of the statements of each migration. The migrator records its name after them. */
function timeMigrations(pool: pg.Pool): Map<string, number> {
  const times = new Map<string, number>()
  let spent = 0
  const seen = new Set<pg.PoolClient>()
  pool.on('acquire', client => {
    if (seen.has(client)) return
    seen.add(client)
    // Safe: only the caller's arguments are passed on.
    const ask = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    // Safe: it calls the original with the same arguments.
    client.query = (async (...args: unknown[]) => {
      const began = performance.now()
      const result = await ask(...args)
      spent += performance.now() - began
      // Safe: the migrator calls `query` in these forms only.
      const [first, given] = args as [string | { text: string; values?: unknown[] }, unknown[]?]
      const { text, values } = typeof first === 'string' ? { text: first, values: given } : first
      if (!text.startsWith('insert into "kysely_migration" ')) return result
      times.set(String(values?.[0]), spent / 1000)
      spent = 0
      return result
    }) as typeof client.query
  })
  return times
}
