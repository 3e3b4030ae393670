import os from 'node:os'

type Priorities = Pick<typeof os, 'getPriority' | 'setPriority'>

/**
 * Lets this thread yield to the one that serves requests: on Linux a priority is the thread's alone. A thread that yields already stays as it is,
 * since raising it needs a right. A sandbox may forbid the call: the work is done at the usual priority then.
 */
export function yieldToOthers(nice: number, { getPriority, setPriority }: Priorities = os): void {
  if (process.platform !== 'linux') return
  try {
    if (getPriority() < nice) setPriority(nice)
  } catch {
    // The thread works all the same.
  }
}
