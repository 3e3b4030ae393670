import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from './config.ts'

// What the service and the operator's commands share: the same settings, wherever they stand, and one clear line when something is wrong.

const file = join(import.meta.dirname, '../.env')

/** What the environment says goes before what the file says. */
export function settings(environment: NodeJS.ProcessEnv): Config {
  if (existsSync(file)) process.loadEnvFile(file)
  const config = readConfig(environment)
  if (Array.isArray(config))
    leave(['The configuration is not usable:', ...config.map(({ name, fault }) => `  ${name} ${fault}`)].join('\n'))
  return config
}

export function leave(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
