// The entry of every npm script. It runs on the machine's own Node (20 or later) before anything is installed, so it is plain JavaScript. It prepares
// the clone step by step, and then runs the command on the pinned Node.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildPortal, compiled, compileService, findNode, install, pinnedNode, prepareWords, root, serviceFlags } from './ready.mjs'
import { fail, say } from './steps.mjs'

const [command = '', ...rest] = process.argv.slice(2)

const commands = {
  start: async () => {
    await build()
    await serve()
  },
  build,
  serve,
  dev: async () => {
    await ready()
    await run('tools/dev.ts')
  },
  // Only the checks, which are part of a whole run, need the typed ids of messages.
  test: async () => {
    await (rest.length > 0 ? install({ withTools: true }) : ready())
    await run('tools/suite/main.ts', rest)
  },
  'test:all': async () => {
    await ready()
    await run('tools/suite/main.ts', ['--all', ...rest])
  },
  'test:watch': async () => {
    await install({ withTools: true })
    await run('tools/suite/main.ts', ['--watch', ...rest])
  },
  check: () => checkOf(),
  typecheck: () => checkOf('types'),
  lint: () => checkOf('lint'),
  format: async () => {
    await ready()
    await runProgram(join(root, 'node_modules/.bin/biome'), ['format', '--write', root])
  },
  counts: async () => {
    await install({ withTools: true })
    await run('tools/counts/command.ts', rest)
  },
  paste: () => tool('tools/paste/command.ts'),
  catalogue: () => tool('server/products/catalogue/catalogue-command.ts'),
  files: () => tool('server/documents/marker/files-command.ts'),
  geography: () => tool('server/geography/import-command.ts'),
  vectors: () => tool('tools/vectors.ts'),
  seed: () => tool('server/policies/seed/seed-command.ts'),
  administrator: () => tool('server/administration/users/administrator-command.ts'),
  opening: () => tool('server/accounting/opening/opening-command.ts'),
  jobs: () => tool('server/administration/work/jobs-command.ts'),
  production: () => trial('tools/production.ts'),
  attacks: () => trial('attacks/main.ts'),
  screens: () => trial('tools/screens/main.ts'),
  mutants: async () => {
    await ready()
    await run('tools/mutants/main.ts', rest)
  },
  'fault-tests': () => trial('fault-tests/main.ts'),
  bench: async () => {
    await build()
    await run('bench/main.ts', rest)
  },
  backup: () => tool('server/database/backup-command.ts', 'backup'),
  restore: () => tool('server/database/backup-command.ts', 'restore'),
  distribute: () => tool('server/database/distribute-command.ts'),
  pack: () => trial('tools/release/pack.ts'),
  'deploy-check': () => trial('tools/deploy/check.ts'),
}

if (!Object.hasOwn(commands, command)) fail(`Unknown command '${command}'. There are: ${Object.keys(commands).join(', ')}.`)
await commands[command]()

async function ready() {
  await install({ withTools: true })
  await prepareWords(node())
}

/** Builds everything that can be built before the service starts. */
async function build() {
  await ready()
  await buildPortal(node())
  await compileService(node())
}

/** Runs the service, without installing or building. Compiled code is stored in .cache if that is writable. */
async function serve() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json')))
    fail('The packages are not installed. Run npm ci first; npm start does all of it.')
  if (!existsSync(join(root, 'dist/portal/index.html'))) fail('The portal is not built. Run npm run build first; npm start does all of it.')
  process.env.NODE_COMPILE_CACHE ??= compiled
  // glibc keeps memory that threads have freed: 250 MB after the embedded engine's code was compiled. Other systems ignore this setting.
  process.env.MALLOC_ARENA_MAX ??= '2'
  process.env.MALLOC_TRIM_THRESHOLD_ ??= '131072'
  await run('server/main.ts', [], serviceFlags)
}

async function checkOf(...gates) {
  await ready()
  await run('tools/check.ts', gates)
}

/** Runs an operator's command. It needs only the packages of the service, not the tools. */
async function tool(script, ...before) {
  await install({ withTools: false })
  await run(script, [...before, ...rest])
}

/** Runs a trial or a release, which needs the tools and everything built. */
async function trial(script) {
  await build()
  await run(script, rest)
}

function node() {
  const found = findNode()
  if (!found && pinnedNode) fail('The packages are not installed. Run npm ci first; npm start does all of it.')
  if (!found)
    fail('This machine needs Node 24.7 or later: no pinned Node is published for its kind. Install it from nodejs.org and run again.')
  return found
}

async function run(script, args = [], flags = ['--disable-warning=ExperimentalWarning']) {
  if (!existsSync(join(root, script))) fail(`${script} is missing from this clone.`)
  await runProgram(node(), [...flags, join(root, script), ...args])
}

/** Runs a program and ends with its status. Through the channel the program detects the end of this process, even if it was killed. */
function runProgram(program, args) {
  const child = spawn(program, args, {
    cwd: process.env.INIT_CWD ?? root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: process.env,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A killed npm forwards no signal.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 300)
  child.on('error', error => fail(`${program} cannot be run: ${error.message}`))
  return new Promise(() => {
    child.on('exit', (code, signal) => {
      if (signal) say(`ended by ${signal}`)
      process.exit(code ?? 1)
    })
  })
}
