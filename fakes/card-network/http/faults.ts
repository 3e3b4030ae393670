import { setTimeout as sleep } from 'node:timers/promises'

/** Faults before or after the request is carried out. `error` is a 500 before it, `error-after` a 500 after it. */
export const faultNames = ['drop-before', 'drop-after', 'delay', 'rate-limit', 'error', 'error-after', 'stall'] as const

/** A fault for the next `times` requests (default 1) of a method and path, after the first `skip`. `*` matches one path segment. */
export type Fault = { fault: (typeof faultNames)[number]; times?: number; skip?: number; method?: string; path?: string; ms?: number }

export type Faults = {
  add: (fault: Fault) => void
  take: (method: string, path: string) => Fault | undefined
  /** Waits for `ms`, or until the faults are cleared. */
  delay: (ms: number) => Promise<void>
  clear: () => void
  list: () => Fault[]
}

export function openFaults(): Faults {
  let waiting: Fault[] = []
  let delays = new AbortController()
  return {
    add: fault => void waiting.push({ times: 1, ...fault }),
    take(method, path) {
      const due = waiting.find(fault => isFor(fault, method, path))
      if (!due) return undefined
      if (due.skip) {
        due.skip -= 1
        return undefined
      }
      due.times = (due.times ?? 1) - 1
      waiting = waiting.filter(({ times = 1 }) => times > 0)
      return due
    },
    async delay(ms) {
      await sleep(ms, undefined, { signal: delays.signal, ref: false }).catch(() => {})
    },
    clear: () => {
      waiting = []
      delays.abort()
      delays = new AbortController()
    },
    list: () => structuredClone(waiting),
  }
}

function isFor(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.path === undefined) return true
  const [pattern, actual] = [fault.path.split('/'), path.split('/')]
  return pattern.length === actual.length && pattern.every((part, index) => part === '*' || part === actual[index])
}
