import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Config, type ConfigProblem, readConfig, settingNames } from './config.ts'
import { misspelt } from './config/misspelt.ts'
import { closeToOthers, giveToOwner, openToOthers } from './config/own-folder.ts'
import { explain } from './explain.ts'

// The service and the operator's commands share this: the same settings from the environment or `.env`, and one clear line for each problem.

const file = join(import.meta.dirname, '../.env')

/** How a process tells the operator of a step, and of what ends it. */
type Voice = { say: (text: string) => void; leave: (text: string) => never }

/** Reads the settings, or exits with a line for each problem. The environment overrides the file. */
export function settings(environment: NodeJS.ProcessEnv, { say, leave }: Voice = asText): Config {
  const inEnvironment = Object.keys(environment)
  const inFile = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : []
  if (inFile.length > 0) process.loadEnvFile(file)
  const { refused, warned } = misspelt(settingNames, inFile, inEnvironment)
  if (warned.length > 0) say(linesOf(warned))
  const config = readConfig(environment)
  const problems = [...refused, ...(Array.isArray(config) ? config : [])]
  if (Array.isArray(config) || problems.length > 0) return leave(`The configuration is not usable:\n${linesOf(problems)}`)
  closeToOthers()
  const exposed = openToOthers(config.DATA_DIR)
  return exposed ? leave(exposed) : config
}

/** Reads the settings for a command. The command then exits with one clear line on an error such as a missing database. */
export function commandSettings(environment: NodeJS.ProcessEnv): Config {
  const config = settings(environment)
  process.on('uncaughtException', error => leave(explain(error, config)))
  process.on('exit', () => giveToOwner(config.DATA_DIR))
  return config
}

const linesOf = (problems: ConfigProblem[]): string => problems.map(({ name, problem }) => `  ${name} ${problem}`).join('\n')

/** Writes a line to stderr, for steps that take some seconds. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Writes one line to stderr and exits with status 1. */
export function leave(text: string): never {
  say(text)
  process.exit(1)
}

/** A command speaks to a person. */
const asText: Voice = { say, leave }

const line = (level: 'info' | 'fatal', text: string): void =>
  say(
    process.stderr.isTTY ? text : JSON.stringify({ level, node: hostname(), pid: process.pid, time: new Date().toISOString(), msg: text }),
  )

/** The service speaks as its log does, in JSON, but to a person at a terminal. */
export const asLog: Voice = {
  say: text => line('info', text),
  leave(text) {
    line('fatal', text)
    process.exit(1)
  },
}
