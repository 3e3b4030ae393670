// The one entry of every npm script. It runs on whatever Node the machine has (20 or later), before anything is installed,
// makes the clone ready step by step, and hands over to the pinned Node. Plain JavaScript for that reason.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPortal, findNode, install, prepareWords, root } from './ready.mjs'
import { fail, say } from './steps.mjs'

const [command = '', ...rest] = process.argv.slice(2)

const commands = {
  start: async () => {
    await ready()
    await buildPortal(node())
    // What was compiled once is read from there at the next start: a quarter of its time.
    process.env.NODE_COMPILE_CACHE ??= join(root, '.cache/compiled')
    await run('server/main.ts')
  },
  dev: async () => {
    await ready()
    await run('tools/dev.ts')
  },
  test: async () => {
    await ready()
    await run('tools/test.ts', rest)
  },
  check: async () => {
    await ready()
    await run('tools/check.ts', rest)
  },
  format: async () => {
    await ready()
    await runProgram(join(root, 'node_modules/.bin/biome'), ['format', '--write', root])
  },
  catalogue: () => tool('server/products/catalogue-command.ts'),
  geography: () => tool('server/geography/import-command.ts'),
  vectors: () => tool('tools/vectors.ts'),
  seed: () => tool('server/policies/seed-command.ts'),
  administrator: () => tool('server/administration/users/administrator-command.ts'),
  attacks: () => tool('attacks/main.ts'),
  drills: () => tool('drills/main.ts'),
  bench: async () => {
    await ready()
    await buildPortal(node())
    await run('bench/main.ts', rest)
  },
  backup: () => tool('server/database/backup-command.ts', 'backup'),
  restore: () => tool('server/database/backup-command.ts', 'restore'),
  pack: () => tool('tools/release/pack.ts'),
  'deploy-check': () => tool('tools/deploy/check.ts'),
}

if (!Object.hasOwn(commands, command)) fail(`Unknown command '${command}'. There are: ${Object.keys(commands).join(', ')}.`)
await commands[command]()

async function ready() {
  await install()
  await prepareWords(node())
}

/** A tool speaks for itself: of the preparations only what takes long, or fails, is mentioned. */
async function tool(script, ...before) {
  await install()
  await run(script, [...before, ...rest])
}

function node() {
  const found = findNode()
  if (!found)
    fail('This machine needs Node 24.7 or later: no pinned Node is published for its kind. Install it from nodejs.org and run again.')
  return found
}

async function run(script, args = []) {
  if (!existsSync(join(root, script))) fail(`${script} is missing from this clone.`)
  await runProgram(node(), ['--disable-warning=ExperimentalWarning', join(root, script), ...args])
}

/** Gives way to a program and ends as it ends. The channel tells the program when this process is gone, however it went. */
function runProgram(program, args) {
  const child = spawn(program, args, {
    cwd: process.env.INIT_CWD ?? root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: process.env,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm ends without passing its own end on: whoever started this being gone is the sign to stop.
  const [parent, grandparent] = ancestors()
  setInterval(() => {
    const [now, before] = ancestors()
    if (now !== parent || before !== grandparent) child.kill('SIGTERM')
  }, 300)
  child.on('error', error => fail(`${program} cannot be run: ${error.message}`))
  return new Promise(() => {
    child.on('exit', (code, signal) => {
      if (signal) say(`ended by ${signal}`)
      process.exit(code ?? 1)
    })
  })
}

/** Who started this, and who started him: npm puts a shell between. Where the system does not tell, the first is all there is. */
function ancestors() {
  try {
    const facts = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return [process.ppid, Number(facts.slice(facts.lastIndexOf(')') + 4).split(' ')[0])]
  } catch {
    return [process.ppid, undefined]
  }
}
