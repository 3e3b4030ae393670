import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '#testing/postgres.ts'
import type { Figure } from './compare.ts'
import { copyDatabase, SECRETS_KEY, startDatabase } from './setup.ts'

type Many = { policies: number; others: number }

/** Returns a database with invented policies, in a folder if it is kept there. A new one is filled first. */
export async function filledDatabase(many: Many, kept?: string): Promise<{ postgres: Postgres; leave: () => Promise<void> }> {
  const isSeeded = kept !== undefined && isReusable(kept, many)
  const postgres = await startDatabase(kept)
  if (!isSeeded) seed(many, { DATABASE_URL: postgres.url() })
  if (kept && !isSeeded) writeFileSync(join(kept, manifest), JSON.stringify(many))
  return { postgres, leave: () => (kept ? postgres.stop() : postgres.remove()) }
}

/** The file with the numbers of policies, written when seeding is complete. */
const manifest = 'filled.json'

function isReusable(folder: string, many: { policies: number; others: number }): boolean {
  if (!existsSync(folder)) return false
  const file = join(folder, manifest)
  if (existsSync(file) && readFileSync(file, 'utf8') === JSON.stringify(many)) return true
  throw new Error(`${folder} holds something else`)
}

const root = join(import.meta.dirname, '..')

/** The folder of the code that seeds, and the arguments of its Node. */
type By = { code?: string; node?: string[] }

export function seed(
  many: Record<'policies' | 'others', number>,
  environment: Record<string, string>,
  { code = root, node = [] }: By = {},
): void {
  const command = join(code, 'server/policies/seed/seed-command.ts')
  const args = Object.entries(many).flatMap(([name, value]) => [`--${name}`, String(value)])
  const { DATABASE_URL: _, ...here } = process.env
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...node, command, ...args], {
    cwd: code,
    env: { ...here, SECRETS_KEY, ...environment },
    stdio: 'inherit',
  })
}

/** A copy of the filled database, which a measurement may modify. */
export type Copy = { postgres: Postgres; name: string; environment: Record<string, string> }

/** Measures in a separate copy with separate files, and drops it afterwards. */
export async function inCopy(postgres: Postgres, name: string, measure: (copy: Copy) => Promise<Figure[]>): Promise<Figure[]> {
  const files = join(postgres.folder, `files-${name}`)
  const drop = async () => {
    await postgres.query(`drop database if exists ${name}`, 'postgres')
    rmSync(files, { recursive: true, force: true })
  }
  // A failed run may have left its copy in a kept folder.
  await drop()
  await copyDatabase(postgres, name)
  const figures = await measure({ postgres, name, environment: { DATABASE_URL: postgres.url(name), FILE_STORE: `file:${files}` } })
  await drop()
  return figures
}
