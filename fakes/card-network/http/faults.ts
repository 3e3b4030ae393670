import { setTimeout as sleep } from 'node:timers/promises'

/** What goes wrong: before anything was done, or after all was. `error` is a 500 with nothing done, `error-after` one although it was done. */
export const faultNames = ['drop-before', 'drop-after', 'delay', 'rate-limit', 'error', 'error-after', 'stall'] as const

/** For the next `times` requests (1) of a method and a path, after letting `skip` pass; `*` in a path is any one part. */
export type Fault = { fault: (typeof faultNames)[number]; times?: number; skip?: number; method?: string; path?: string; ms?: number }

export type Faults = {
  add: (fault: Fault) => void
  take: (method: string, path: string) => Fault | undefined
  /** How long a delay takes: its time, or until the faults are cleared. */
  delay: (ms: number) => Promise<void>
  clear: () => void
  list: () => Fault[]
}

export function openFaults(): Faults {
  let waiting: Fault[] = []
  let patience = new AbortController()
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
      await sleep(ms, undefined, { signal: patience.signal, ref: false }).catch(() => {})
    },
    clear: () => {
      waiting = []
      patience.abort()
      patience = new AbortController()
    },
    list: () => structuredClone(waiting),
  }
}

function isFor(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.path === undefined) return true
  const [wanted, given] = [fault.path.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part === '*' || part === given[at])
}
