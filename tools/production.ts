import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openMailbox } from '#fakes/mailbox.ts'
import { asker, openSession, purchase, register, signIn } from '#testing/agent.ts'
import { freePort, startPostgres } from '#testing/postgres.ts'
import { administratorsSql } from '#testing/roles.ts'
import { until } from './until.ts'

// Plays the section "In production" of docs/operations.md on a clean copy of the last commit. Commands run word for word; settings get values of this
// machine. Before that, it runs the newcomer's command under NODE_ENV=production, and after an interrupted install.

type Step = { title: string; work: () => Promise<void> }
type Block = { kind: string; text: string }

const root = join(import.meta.dirname, '..')
const manual = 'docs/operations.md'
const work = mkdtempSync(join(tmpdir(), 'portolan-production-'))
// Safe: two names give two folders.
const [newcomers, copy] = ['newcomer', 'portolan'].map(name => {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, join(work, name)])
  return join(work, name)
}) as [string, string]
const [postgres, mailbox, port] = await Promise.all([startPostgres({ database: 'none' }), openMailbox(), freePort()])
for (const statement of administratorsSql()) await postgres.query(statement, 'postgres')

/** Values of this machine for the names in the manual. */
const values: Record<string, string> = {
  PUBLIC_URL: 'https://portal.agency.test',
  DATABASE_URL: postgres.url().replace('postgres@', 'portolan:choose-one@'),
  DATA_DIR: join(work, 'data'),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'Portal <no-reply@portal.agency.test>',
}

/** Leaves out npm's variables of this run, which an operator's shell does not have. */
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^INIT_CWD$|^TEST_/.test(name)))
const path = (process.env['PATH'] ?? '')
  .split(':')
  .filter(folder => !folder.includes('node_modules'))
  .join(':')
const environment = { ...clean, PATH: path, PORT: String(port) }

const blocks = blocksOf('In production')
const commands = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ text }) => text.split('\n').filter(Boolean))
const origin = `http://127.0.0.1:${port}`
const ask = asker(() => origin)
const password = 'a password that is long enough'
const invited = 'alba@agency.test'
let service: ChildProcess | undefined
let said = ''

const steps: Step[] = [
  {
    title: 'npm start, killed while it installs',
    work: async () => {
      const npm = spawn('npm', ['start'], { cwd: newcomers, env: environment, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
      npm.stderr.resume()
      // npm and its script have the other end open, so it closes when they have ended.
      const ended = once(npm, 'close')
      const packages = join(newcomers, 'node_modules')
      await until('the first packages', () => npm.exitCode !== null || (existsSync(packages) && readdirSync(packages).length > 10))
      expect(npm.exitCode === null, 'npm was still installing')
      process.kill(-(npm.pid ?? 0), 'SIGKILL')
      await ended
      expect(!existsSync(join(packages, '.package-lock.json')), 'the install was broken off')
    },
  },
  {
    title: 'npm start under NODE_ENV=production in the same clone installs, builds and serves',
    work: async () => {
      const settings = { NODE_ENV: 'production', ...values, DATABASE_URL: '', DATA_DIR: join(work, 'trial') }
      const trial = spawn('npm', ['start'], { cwd: newcomers, env: { ...environment, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
      await ready(trial)
      await stop(trial)
    },
  },
  ...commands.map((command): Step => ({ title: `$ ${command}`, work: () => play(command) })),
  {
    title: 'the portal is served, protected, and says that it is ready',
    work: async () => {
      const page = await fetch(new URL('/', origin), { redirect: 'follow', headers: { accept: 'text/html', 'x-forwarded-proto': 'https' } })
      expect((await page.text()).includes('<div id="portal"'), 'the portal’s page')
      expect(page.headers.has('strict-transport-security'), 'HSTS')
      expect((await ask('/health/ready')).status === 200, '/health/ready')
      expect((await ask('/dev/mail')).status === 404, 'no /dev/mail')
      expect(execFileSync('git', ['status', '--short'], { cwd: copy, encoding: 'utf8' }) === '', 'the clone is clean')
    },
  },
  {
    title: 'the administrator chooses a password by the printed link, and invites an agent by mail',
    work: async () => {
      const email = /(\S+@\S+) is an administrator/.exec(said)?.[1] ?? ''
      await choosePassword(said)
      const { accessToken } = (await openSession(ask, email, password)).body.data
      const asAdministrator = { authorization: `Bearer ${accessToken}` }
      const listed = await ask('/api/administration/units/list', { body: { page: 1, perPage: 20 }, headers: asAdministrator })
      const unit = listed.body.data.units.find(({ key }: { key: string }) => key === 'azahar')
      const user = { name: 'Alba Agente', email: invited, businessUnits: [{ uuid: unit.uuid, roles: ['seller'], active: true }] }
      const made = await ask('/api/administration/users', { body: user, headers: asAdministrator })
      expect(made.status === 200, `the user: ${made.text}`)
    },
  },
  {
    title: 'the agent chooses a password by the mailed link, signs in and sells; the client’s mail arrives',
    work: async () => {
      await choosePassword(await mailTo(invited))
      const agent = await signIn(ask, invited, password)
      const registered = await register(agent)
      expect(registered.status === 200, `registered: ${registered.text}`)
      const sold = await purchase(agent, { purchaseUUID: registered.body.data.purchaseUUID })
      expect(Boolean(sold.body?.data?.policyData?.policyNumber), `sold: ${sold.text}`)
      await mailTo('ana@example.es')
    },
  },
  {
    title: 'npm run serve ends with status 0 at SIGTERM',
    work: async () => {
      if (!service) throw new Error('it was never started')
      await stop(service)
    },
  },
]

let [passed, failed] = [0, 0]
for (const { title, work } of steps) {
  const began = Date.now()
  const fault = await work().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (fault === undefined) passed += 1
  else failed += 1
  console.log(
    fault === undefined
      ? `${title}: ${((Date.now() - began) / 1000).toFixed(1)} s`
      : `FAIL ${title}\n   | ${fault.replaceAll('\n', '\n   | ')}`,
  )
}
service?.kill('SIGKILL')
await mailbox.close()
await postgres.remove()
rmSync(work, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

/** Returns the text of an email when it has arrived. */
async function mailTo(address: string): Promise<string> {
  const { raw } = await until(`an email to ${address}`, () => mailbox.received.find(({ to }) => to.includes(address)))
  return raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

async function choosePassword(text: string): Promise<void> {
  const [, token = ''] = /https:\/\/portal\.agency\.test\/\S+token=([\w-]+)/.exec(text) ?? []
  const reply = await ask('/api/auth/password/reset', { body: { token, password } })
  expect(reply.status === 200, `the password: ${reply.text}`)
}

/** Runs one line of the manual. The service keeps running; all other lines must succeed. */
async function play(command: string): Promise<void> {
  if (command.startsWith('npm run serve')) {
    writeFileSync(join(copy, '.env'), settingsFile())
    const began = Date.now()
    service = spawn('sh', ['-c', `exec ${command}`], { cwd: copy, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
    await ready(service)
    console.log(`  ready after ${Date.now() - began} ms, npm included`)
    return
  }
  if (command.startsWith('npm run') && !command.includes('build')) writeFileSync(join(copy, '.env'), settingsFile())
  said += execFileSync('sh', ['-c', command], { cwd: copy, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

async function ready(npm: ChildProcess): Promise<void> {
  if (!npm.stdout) throw new Error('no output')
  for await (const line of createInterface({ input: npm.stdout })) {
    if (!line.startsWith('ready ')) continue
    npm.stdout.resume()
    return
  }
  throw new Error('it ended before it was ready')
}

async function stop(npm: ChildProcess): Promise<void> {
  const exit = once(npm, 'exit')
  npm.kill('SIGTERM')
  const [status] = await exit
  expect(status === 0, `ended with ${String(status)}`)
}

/** Returns the fenced blocks under a heading of the manual. */
function blocksOf(heading: string): Block[] {
  const section = readFileSync(join(root, manual), 'utf8')
    .split(/^## /m)
    .find(each => each.startsWith(`${heading}\n`))
  if (!section) throw new Error(`${manual} has no section '${heading}'`)
  return [...section.matchAll(/^```(\w+)\n([^]*?)^```/gm)].map(([, kind = '', text = '']) => ({ kind, text }))
}

/** Returns the manual's settings, with this machine's values for some. */
function settingsFile(): string {
  const settings = blocks.find(({ kind }) => kind === 'ini')?.text ?? ''
  return settings.replaceAll(/^(\w+)=.*$/gm, (line, name: string) => (name in values ? `${name}="${values[name]}"` : line))
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}
