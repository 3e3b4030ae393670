import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const bin = (name: string): string => join(root, 'node_modules/.bin', name)

/** The tools of node_modules run on this Node, not on the machine's own. */
export const environment = {
  ...process.env,
  // Removed, as a trial of production would otherwise build and test another portal.
  NODE_ENV: undefined,
  PATH: `${join(process.execPath, '..')}:${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
}

export type Finished = { code: number; output: string }

/** Runs a program to its end and returns its output. */
export function run(program: string, args: string[], cwd = root, settings: Record<string, string> = {}): Promise<Finished> {
  const child: ChildProcess = spawn(program, args, { cwd, env: { ...environment, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (data: Buffer) => {
    output += data.toString()
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    // At its exit, some output may not have arrived yet.
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
