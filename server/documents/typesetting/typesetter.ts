import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Source } from '../pdf/document.ts'

/** A document with its CPU time and the peak memory of its process, or the reason why there is none. */
export type Answer = { content: Uint8Array; cpuMs: number; megabytes: number } | { fault: string }
/** Or the process has ended, by itself or at a limit. `late`: the limit that it reached, of CPU time or of the clock alone. */
export type Typeset = Answer | { ended: string; late?: 'processor' | 'clock' }

/** The first message of a process, whose fonts are loaded. */
export const ready = 'ready'

/**
 * Typesets documents in a process of its own, one after another. Native code draws the pictures of strangers, and can end the process that it runs in
 * (decision 83).
 */
export type Typesetter = {
  /** One document at a time. */
  typeset(source: Source, limit: Limit): Promise<Typeset>
  isAlive(): boolean
  end(): void
}

/**
 * The most CPU time, which does not grow with the load of the machine, and the most time in all. The start of the process counts only in the latter: it
 * costs as much as thirty documents, and a slow machine would end each process before its first one. Only Linux reports CPU time.
 */
export type Limit = { cpuMs: number; ms: number }

const program = fileURLToPath(new URL('typesetter-child.ts', import.meta.url))

const shell = '/bin/sh'
const hasShell = process.platform === 'linux' && existsSync(shell)

/**
 * Starts a process that may address so many megabytes. Node alone addresses 1 500, and more if it may. Only Linux limits this, by
 * its shell, which a small container may lack. The process has no settings or secrets, and ends with this one.
 */
export function startTypesetter(megabytes: number): Typesetter {
  const flags = ['--disable-warning=ExperimentalWarning']
  const limited = ['-c', `ulimit -c 0; ulimit -v ${megabytes * 1024}; exec "$0" "$@"`, process.execPath]
  const child = fork(program, {
    ...(hasShell ? { execPath: shell, execArgv: [...limited, ...flags] } : { execArgv: flags }),
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // The end is handled where a document waits for it.
  child.on('error', () => undefined)
  let usedByStart: number | undefined
  child.once('message', () => (usedByStart = cpuOf(child)))
  keepAlive(child, false)
  return {
    typeset: (source, { cpuMs, ms }) =>
      new Promise(resolve => {
        const settle = (made: Typeset) => {
          clearTimeout(timer)
          child.off('message', answered).off('exit', exited).off('error', failed)
          keepAlive(child, false)
          resolve(made)
        }
        const answered = (made: Typeset | typeof ready) => made !== ready && settle(made)
        const exited = (status: number | null, signal: string | null) =>
          settle({ ended: `the process for documents has ended: ${signal ?? status}` })
        const failed = ({ message }: Error) => settle({ ended: `the process for documents has failed: ${message}` })
        const [began, usedBefore] = [performance.now(), usedByStart && cpuOf(child)]
        const look = () => {
          const before = usedBefore ?? usedByStart
          const used = before === undefined ? 0 : cpuOf(child) - before
          // If the machine stalls, a document can be late with little CPU time.
          const left = { cpu: cpuMs - used, clock: ms - (performance.now() - began) }
          const next = Math.min(left.cpu, left.clock)
          if (next > 0) return void (timer = setTimeout(look, Math.max(next, 10)))
          child.kill('SIGKILL')
          settle({ ended: `a document took more than ${cpuMs} ms`, late: left.cpu > 0 ? 'clock' : 'processor' })
        }
        let timer = setTimeout(look, Math.min(cpuMs, ms))
        child.on('message', answered).on('exit', exited).on('error', failed)
        keepAlive(child, true)
        if (!child.connected) exited(child.exitCode, child.signalCode)
        // A message that cannot be sent is followed by the child's exit, which is handled above.
        else child.send(source, () => undefined)
      }),
    isAlive: () => child.connected,
    end: () => void child.kill('SIGKILL'),
  }
}

/** Returns the CPU time of a process in milliseconds. On a system that does not report it, the clock counts. */
function cpuOf({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return performance.now()
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in brackets, can have spaces. Linux counts in hundredths of a second.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * 10
  } catch {
    // The process has just ended, which is handled in a moment.
    return 0
  }
}

/** A process without work does not keep this one from ending. */
function keepAlive(child: ChildProcess, isBusy: boolean): void {
  for (const each of [child, child.channel])
    if (isBusy) each?.ref()
    else each?.unref()
}
