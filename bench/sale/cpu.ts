import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** CPU time in milliseconds, which only Linux reports. */
export type Cpu = {
  /** The process itself, with all its threads. */
  process: number
  /** Its first thread alone. */
  mainThread: number
  /** The processes that it started, directly or indirectly, including those that have ended. */
  children: number
}

/** /proc counts in hundredths of a second. */
const tickMs = 10

export function cpuOf(pid: number): Cpu {
  const own = readStat(`/proc/${pid}/stat`)
  const thread = readStat(`/proc/${pid}/task/${pid}/stat`)
  if (!own || !thread) return { process: Number.NaN, mainThread: Number.NaN, children: Number.NaN }
  const below = descendantsOf(pid).reduce((sum, { used, ended }) => sum + used + ended, 0)
  return { process: own.used * tickMs, mainThread: thread.used * tickMs, children: (own.ended + below) * tickMs }
}

/** Returns the CPU time of a process and of all its descendants, in milliseconds. */
export function cpuOfAll(pid: number): number {
  const { process, children } = cpuOf(pid)
  return process + children
}

/** `used` by the process in ticks, and by its children that have `ended`. */
type Stat = { pid: number; parent: number; used: number; ended: number }

/** Parses a line of /proc. The name of a program may have spaces and brackets. */
function readStat(file: string): Stat | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const [, parent = 0, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = rest.slice(9)
    return { pid: Number.parseInt(text, 10), parent, used: user + system, ended: childrenUser + childrenSystem }
  } catch {
    // The process has ended meanwhile.
    return undefined
  }
}

/** Returns the descendants of a process. */
export function descendantsOf(pid: number): Stat[] {
  if (!existsSync('/proc')) return []
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (readStat(`/proc/${name}/stat`) ?? []) : []))
  const below = (parent: number): Stat[] => all.flatMap(each => (each.parent === parent ? [each, ...below(each.pid)] : []))
  return below(pid)
}
