import { readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import type { Metrics } from '../metrics.ts'
import { type FromJobs, openCounts, type Reports, type ToJobs } from './messages.ts'
import type { Outbox } from './outbox.ts'
import type { Tasks } from './tasks.ts'

const beatMs = 1_000

export const reportsToParent = (): Reports => {
  const busy = new Set<string>()
  return {
    taken: jobs => void tell({ kind: 'taken', jobs: jobs.map(({ businessUnitId, id, attempts }) => ({ businessUnitId, id, attempts })) }),
    ended: id => void tell({ kind: 'ended', id }),
    setBusy(task, isBusy) {
      if (busy.has(task) === isBusy) return
      if (isBusy) busy.add(task)
      else busy.delete(task)
      void tell({ kind: 'busy', task, isBusy })
    },
  }
}

/** Resolves to the setting that the parent sends first. */
export const settingOfParent = (): Promise<unknown> =>
  new Promise(resolve => {
    process.on('message', function begin(message: ToJobs) {
      if (message.kind !== 'begin') return
      process.off('message', begin)
      resolve(message.setting)
    })
  })

type Parts = { outbox: Outbox; tasks: Tasks; metrics: Metrics; begin: () => void; stop: () => Promise<void> }

/** Does jobs and tasks until the parent ends it, or is gone. Resolves then. */
export async function workForParent({ outbox, tasks, metrics, begin, stop }: Parts): Promise<void> {
  const counts = openCounts(metrics)
  const beat = async () => {
    const { user, system } = process.cpuUsage()
    const used = { memory: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 }
    await tell({ kind: 'beat', isAlive: outbox.isAlive(), counts: await counts(), ...used })
  }
  await new Promise<void>(resolve => {
    process.once('disconnect', resolve)
    process.on('message', (message: ToJobs) => {
      if (message.kind === 'stop') resolve()
      else if (message.kind === 'wake') outbox.wake(message.published)
      else if (message.kind === 'ask') void answer(tasks, message)
    })
    // A supervisor or a terminal signals all processes at once. The parent says when to stop: requests that it finishes may still need this one.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
    if (!process.connected) return resolve()
    void tell({ kind: 'up' })
    begin()
    void beat()
    setInterval(() => void beat(), beatMs).unref()
  })
  await stop()
  await beat()
}

async function answer(tasks: Tasks, { id, task, args }: ToJobs & { kind: 'ask' }): Promise<void> {
  // Without the value the parent goes on. The job retries, and reports the failure.
  const value = await tasks.run(task, args).catch(() => undefined)
  void tell({ kind: 'answer', id, value })
}

/** Resolves once the message has left. Without a parent it is not needed. */
const tell = (message: FromJobs): Promise<unknown> =>
  new Promise(resolve => (process.connected && process.send ? process.send(message, undefined, {}, resolve) : resolve(undefined)))

/** Lets the process that serves go first: lowers the priority of every thread of this one, also of those that it starts later. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) if (os.getPriority(Number(thread)) < nice) os.setPriority(Number(thread), nice)
  } catch {
    // A sandbox may forbid the call. The process then works at the usual priority.
  }
}

/** Lets the system end this process, and not the one that serves, where memory runs out. */
export function endFirst(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // A sandbox may forbid it. The system then chooses by the memory of each.
  }
}
