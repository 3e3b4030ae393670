import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Commands } from './node.ts'

/** A server node in its own process. */
export type Service = {
  origin: string
  pid: number
  /** The time from the start until it was ready, in ms. */
  readyMs: number
  /** Returns the log so far. */
  log(): string
  alive(): boolean
  kill(): Promise<void>
  /** Stops after finishing open requests, and returns the exit status. */
  stop(): Promise<number | null>
  /** Runs a command of node.ts in the process. */
  ask<Name extends keyof Commands>(name: Name, ...args: Parameters<Commands[Name]>): Promise<Awaited<ReturnType<Commands[Name]>>>
}

type Options = {
  /** `start` and `serve` run `npm start` and `npm run serve`; the process is then npm's. */
  program?: 'start' | 'serve' | 'server/main.ts' | 'testing/node.ts' | 'bench/echo/main.ts'
  node?: string[]
  /** The checkout whose code runs. */
  code?: string | undefined
  environment: Record<string, string>
}

const root = join(import.meta.dirname, '..')
const timeoutMs = 120_000

export async function startService({ program = 'server/main.ts', node = [], code = root, environment }: Options): Promise<Service> {
  const began = performance.now()
  const isOfNpm = program === 'start' || program === 'serve'
  const nodeArgs = ['--disable-warning=ExperimentalWarning', ...node, join(code, program)]
  const [command, args]: [string, string[]] = isOfNpm ? ['npm', ['run', program]] : [process.execPath, nodeArgs]
  const child = spawn(command, args, {
    cwd: code,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  const exit = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
  const origin = await waitUntilReady(child, lines, exit)
  const pending = new Map<number, (reply: { value?: unknown; error?: string }) => void>()
  child.on('message', (reply: { n: number; value?: unknown; error?: string }) => {
    pending.get(reply.n)?.(reply)
    pending.delete(reply.n)
  })
  let lastId = 0
  const request = (name: string, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const n = ++lastId
      pending.set(n, ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error))))
      if (child.connected) child.send({ n, name, args })
      else reject(new Error(`the server has ended:\n${lines.slice(-20).join('\n')}`))
    })
  return {
    origin,
    pid: child.pid ?? 0,
    readyMs: performance.now() - began,
    log: () => lines.join('\n'),
    alive: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
    async stop() {
      child.kill('SIGTERM')
      return exit
    },
    // The types of commands and results are those of node.ts, at the other end.
    ask: (name, ...args) => request(name, args) as Promise<never>,
  }
}

function waitUntilReady(child: ChildProcess, lines: string[], exit: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready after ${timeoutMs} ms:\n${lines.slice(-5).join('\n')}`)), timeoutMs)
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
