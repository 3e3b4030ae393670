import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../processes.ts'

// Reads the files of deploy/.

/** A check, which throws if it fails, and may return a figure to print. */
export type Check = (title: string, work: () => Promise<string | void> | string | void) => Promise<void>

export const sample = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8')

type Health = { test: string[] }
type ComposeNode = {
  image: string
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  stop_grace_period: string
  environment: Record<string, string>
  secrets: string[]
  volumes: string[]
  healthcheck: Health
}
type Compose = {
  services: { one: ComposeNode; two: ComposeNode; proxy: ComposeNode; database: ComposeNode; mailbox: ComposeNode }
  secrets: Record<string, { file: string }>
}

// Safe: the file is our own.
export const compose = (): Compose => parse(sample('compose.yaml'), { merge: true }) as Compose

/** Returns the instructions of the Containerfile in order, with continued lines joined. */
function containerfile(): [instruction: string, given: string][] {
  return sample('Containerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => line.trim() && !line.startsWith('#'))
    .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1).trim()])
}

export const given = (instruction: string): string[] => containerfile().flatMap(([name, rest]) => (name === instruction ? [rest] : []))

/** Returns the settings of a node from the image and compose.yaml. */
export function nodeEnvironment(): Record<string, string> {
  // Safe: each setting of the file has the format NAME=value.
  const image = Object.fromEntries(given('ENV').flatMap(line => line.split(/\s+/).map(pair => pair.split('=') as [string, string])))
  return { ...image, ...compose().services.one.environment }
}
