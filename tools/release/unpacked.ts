import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Mailbox } from '#fakes/mailbox.ts'
import { type Agent, type Ask, type RequestOptions, begin, cookiesOf, demoPassword, signIn } from '#testing/agent.ts'
import { until } from '../until.ts'

// Runs a release on a machine with only Node: its programs see no clone, no npm and no tools.

export type Node = { origin: string; readyMs: number; child: ChildProcess; log(): string; stop(): Promise<number | null> }

type Environment = Record<string, string>

/** Unpacks an archive into a folder, which is read-only afterwards. */
export function unpack(archive: string, into: string): string {
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', into])
  const [name = ''] = readdirSync(into)
  execFileSync('chmod', ['-R', 'a-w', join(into, name)])
  return join(into, name)
}

const start = (release: string, environment: Environment, args: string[]) =>
  spawn(process.execPath, [join(release, 'bin/portolan.mjs'), ...args], {
    cwd: release,
    env: { HOME: '/nonexistent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const running = new Set<ChildProcess>()

/** Ends the processes that a failed test left running. */
export const endAll = (): void => running.forEach(child => void child.kill('SIGKILL'))

/** Runs an operator's command to its end. */
export function command(release: string, environment: Environment, ...args: string[]): Promise<string> {
  const child = start(release, environment, args)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', line => lines.push(line))
  return new Promise((resolve, reject) =>
    child.once('close', code =>
      code === 0 ? resolve(lines.join('\n')) : reject(new Error(`${args[0]} ended with ${code}:\n${lines.join('\n')}`)),
    ),
  )
}

export async function serve(release: string, environment: Environment): Promise<Node> {
  const began = performance.now()
  const child = start(release, { PORT: '0', LOG_LEVEL: 'error', ...environment }, ['serve'])
  running.add(child.once('close', () => running.delete(child)))
  const lines: string[] = []
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const origin = await new Promise<string>((resolve, reject) => {
    void ended.then(code => reject(new Error(`ended with ${String(code)} before it was ready:\n${lines.join('\n')}`)))
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', line => {
        lines.push(line)
        if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
      })
  })
  const readyMs = performance.now() - began
  return {
    origin,
    readyMs,
    child,
    log: () => lines.join('\n'),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

const owner = 'owner@portolan.example'
export const seller = 'seller@azahar.example'

/** Loads the catalogue and creates an administrator. Returns the token with which to choose the password. */
export async function prepare(release: string, environment: Environment): Promise<string> {
  await command(release, environment, 'catalogue', 'load', join(release, 'catalogue'))
  const said = await command(release, environment, 'administrator', owner, 'First', 'Owner')
  const [, token] = /https?:\S+token=([\w-]+)/.exec(said) ?? []
  if (!token) throw new Error(`no address to choose a password at:\n${said}`)
  return token
}

/** Lets the administrator choose a password and invite an agent, who accepts by email and signs in. */
export async function openForSale(ask: Ask, token: string, mailbox: Pick<Mailbox, 'received'>): Promise<Agent> {
  const password = demoPassword
  const data = async (path: string, asking: RequestOptions) => {
    const { status, text, body } = await ask(path, asking)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return body.data
  }
  await data('/api/auth/password/reset', { body: { token, password } })
  const began = await begin(ask, owner)
  const flow = Object.entries(cookiesOf(began.reply)).map(pair => pair.join('='))
  const { accessToken } = await data('/api/auth/session', { body: { token: began.token }, headers: { cookie: flow.join('; ') } })
  const headers = { authorization: `Bearer ${accessToken}` }
  const { units } = await data('/api/administration/units/list', { body: { page: 1, perPage: 10, searchData: 'azahar' }, headers })
  const businessUnits = [{ uuid: units[0].uuid, roles: ['seller'], active: true }]
  await data('/api/administration/users', { body: { name: 'A Seller', email: seller, businessUnits }, headers })
  const invited = await until('the invitation by email', () => /#token=([\w-]+)/.exec(lettersTo(mailbox, seller).join('\n'))?.[1])
  await data('/api/auth/password/reset', { body: { token: invited, password } })
  return signIn(ask, seller)
}

/** Returns the emails to a recipient, without their transfer encoding. */
export const lettersTo = ({ received }: Pick<Mailbox, 'received'>, address: string): string[] =>
  received.filter(({ to }) => to.includes(address)).map(({ raw }) => raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))
