#!/usr/bin/env node
// The one program of a release: `portolan.mjs serve`, or one of the operator's commands. It runs in this same process, so signals and the exit status
// are the service's own. Plain JavaScript, so that an old Node can still report the problem.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) leave(`Portolan needs Node 24.7 or later; this is ${process.version}.`)

const commands = JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8'))
const [name = '', ...rest] = process.argv.slice(2)
if (!Object.hasOwn(commands, name)) leave(`Usage: portolan.mjs ${Object.keys(commands).join(' | ')}`)
const { script, before } = commands[name]

// The embedded engine then starts with a fifth less work, as in a clone (tools/ready.mjs).
if (name === 'serve') setFlagsFromString('--wasm-tiering-budget=1000000000')
// A release is for production unless NODE_ENV says otherwise.
process.env.NODE_ENV ||= 'production'
process.argv = [...process.argv.slice(0, 2), ...before, ...rest]
await import(new URL(`../${script}`, import.meta.url).href)

function leave(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
