import os from 'node:os'

type Priorities = Pick<typeof os, 'getPriority' | 'setPriority'>

/**
 * Lowers this thread's priority below that of the thread that serves requests. On Linux each thread has its own priority. A thread with a low one
 * keeps it, since raising it needs a right. If a sandbox forbids the call, the priority stays as it is.
 */
export function yieldToOthers(nice: number, { getPriority, setPriority }: Priorities = os): void {
  if (process.platform !== 'linux') return
  try {
    if (getPriority() < nice) setPriority(nice)
  } catch {
    // The thread works at the usual priority.
  }
}
