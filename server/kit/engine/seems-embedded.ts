import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const settingsFile = join(import.meta.dirname, '../../../.env')

/** True unless a setting names a database: a guess before the settings are read, which decide. */
export function seemsEmbedded(environment: NodeJS.ProcessEnv, file = settingsFile): boolean {
  const inFile = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return !/DATABASE/.test([...Object.keys(environment), inFile].join('\n'))
}
