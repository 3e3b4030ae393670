import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Acts } from './node.ts'

/** A node of the service in a process of its own. */
export type Service = {
  origin: string
  pid: number
  /** Milliseconds from its start until it said that it was ready. */
  readyMs: number
  /** Its log so far. */
  log(): string
  /** Processor time used so far, in milliseconds. Only server/main.ts reports it. */
  busyMs(): Promise<number>
  alive(): boolean
  kill(): Promise<void>
  /** In order: what is in flight is finished. Gives the exit's status. */
  stop(): Promise<number | null>
  /** Asks the steered program (node.ts) for something. */
  ask<Act extends keyof Acts>(act: Act, ...given: Parameters<Acts[Act]>): Promise<Awaited<ReturnType<Acts[Act]>>>
}

type Wish = {
  /** `serve`: as an operator starts it, by `npm run serve`. The process is npm's then. */
  program?: 'serve' | 'server/main.ts' | 'fault-tests/harness/node.ts' | 'bench/echo/main.ts'
  node?: string[]
  environment: Record<string, string>
}

const root = join(import.meta.dirname, '../..')
const patienceMs = 120_000

export async function startService({ program = 'server/main.ts', node = [], environment }: Wish): Promise<Service> {
  const began = performance.now()
  const reporting = program === 'server/main.ts' ? ['--import', join(import.meta.dirname, 'report-usage.ts')] : []
  const own: [string, string[]] = [process.execPath, ['--disable-warning=ExperimentalWarning', ...reporting, ...node, join(root, program)]]
  const [command, args] = program === 'serve' ? ['npm', ['run', 'serve']] : own
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  const exit = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
  const origin = await firstWord(child, lines, exit)
  const waiting = new Map<number, (reply: { value?: unknown; error?: string }) => void>()
  child.on('message', (reply: { n: number; value?: unknown; error?: string }) => {
    waiting.get(reply.n)?.(reply)
    waiting.delete(reply.n)
  })
  let sent = 0
  const request = (act: string, given: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const n = ++sent
      waiting.set(n, ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error))))
      if (child.connected) child.send({ n, act, given })
      else reject(new Error(`the service has ended:\n${lines.slice(-20).join('\n')}`))
    })
  return {
    origin,
    pid: child.pid ?? 0,
    readyMs: performance.now() - began,
    log: () => lines.join('\n'),
    busyMs: async () => Number(await request('busyMs', [])),
    alive: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
    async stop() {
      child.kill('SIGTERM')
      return exit
    },
    // The types of what is asked and replied are those of node.ts, which is the other end.
    ask: (act, ...given) => request(act, given) as Promise<never>,
  }
}

function firstWord(child: ChildProcess, lines: string[], exit: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready after ${patienceMs} ms:\n${lines.slice(-5).join('\n')}`)), patienceMs)
    void exit.then(code => reject(new Error(`ended with ${String(code)} before it was ready:\n${lines.slice(-10).join('\n')}`)))
    for (const stream of [child.stdout, child.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', line => {
          lines.push(line)
          if (!line.startsWith('ready ')) return
          clearTimeout(late)
          resolve(line.slice('ready '.length))
        })
  })
}
