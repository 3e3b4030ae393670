import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'
import { step } from '../steps.mjs'
import { filesLoadedBy } from './imports.ts'

const folder = join(root, '.cache/test-databases')

/** Returns the file with the template database. Builds it only if no template has the same sources. */
export async function ensureTemplate(): Promise<string> {
  const path = join(folder, `${keyOf(templateSources())}.tar`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const { buildTemplate } = await import('./build-template.ts')
  await step('Building the test database', () => buildTemplate(path))
  removeOld()
  return path
}

/** Returns all sources of the template: code, migrations, catalogue and packages. */
export function templateSources(): string[] {
  const data = ['server/database/migrations', 'server/geography/places', 'catalogue'].flatMap(path =>
    readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map(name => join(path, name)),
  )
  const files = [...filesLoadedBy('tools/suite/build-template.ts'), ...data, 'package-lock.json']
  return files.filter(file => statSync(join(root, file)).isFile()).toSorted()
}

export function keyOf(files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n')
  return hash.digest('hex').slice(0, 16)
}

/** Keeps three, so that switching branches builds nothing, and as another run may still read one. */
function removeOld(): void {
  const byAge = readdirSync(folder)
    .map(name => join(folder, name))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const path of byAge.slice(3)) rmSync(path, { force: true })
}
