import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Config, type ConfigFault, readConfig, settingNames } from './config.ts'
import { misspelt } from './config/misspelt.ts'
import { closeToOthers, openToOthers } from './config/own-folder.ts'
import { explain } from './explain.ts'

// What the service and the operator's commands share: the same settings, wherever they stand, and one clear line when something is wrong.

const file = join(import.meta.dirname, '../.env')

/** What the environment says goes before what the file says. */
export function settings(environment: NodeJS.ProcessEnv): Config {
  const around = Object.keys(environment)
  const inFile = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : []
  if (inFile.length > 0) process.loadEnvFile(file)
  const { refused, warned } = misspelt(settingNames, inFile, around)
  if (warned.length > 0) process.stderr.write(`${linesOf(warned)}\n`)
  const config = readConfig(environment)
  const faults = [...refused, ...(Array.isArray(config) ? config : [])]
  if (Array.isArray(config) || faults.length > 0) leave(`The configuration is not usable:\n${linesOf(faults)}`)
  closeToOthers()
  const isOpen = openToOthers(config.DATA_DIR)
  if (isOpen) leave(isOpen)
  return config
}

/** The same for a command: it ends with one line for whatever an operator can mend, such as a database that does not answer. */
export function commandSettings(environment: NodeJS.ProcessEnv): Config {
  const config = settings(environment)
  process.on('uncaughtException', error => leave(explain(error, config)))
  return config
}

const linesOf = (faults: ConfigFault[]): string => faults.map(({ name, fault }) => `  ${name} ${fault}`).join('\n')

export function leave(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
