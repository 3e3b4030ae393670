import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const bin = (name: string): string => join(root, 'node_modules/.bin', name)

/** The tools of node_modules are run by this very Node, whatever the machine's own is. */
export const environment = {
  ...process.env,
  // Set for a trial of production, it would build and test another portal.
  NODE_ENV: undefined,
  PATH: `${join(process.execPath, '..')}:${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
}

export type Finished = { code: number; output: string }

/** Runs a program to its end, its output kept, and shown as it comes when asked for. */
export function run(program: string, args: string[], options: { show?: boolean; env?: NodeJS.ProcessEnv } = {}): Promise<Finished> {
  const child: ChildProcess = spawn(program, args, { cwd: root, env: options.env ?? environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (data: Buffer) => {
    output += data.toString()
    if (options.show) process.stdout.write(data)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    // At its exit, some output may still be on its way.
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
