import { Worker } from 'node:worker_threads'
import { Refusal } from '#common/kit/refusals.ts'
import { loaded, unloaded } from './carry.ts'

/**
 * Reads what came from outside in threads of their own, so that no file holds up those who ask meanwhile. A task takes a limited time and
 * memory. An owner (a user, the mail) has one thread at most, and owners take turns: many files of one delay nobody else's.
 */
export type Workers = {
  /** Bytes that are handed in belong to the thread from then on. Throws TooHeavy for what goes over the limits. */
  run<Work extends Task>(owner: string, task: TaskOf<Work>, ...given: Parameters<Work>): Promise<Awaited<ReturnType<Work>>>
  stop(): Promise<void>
}

type Task = (...given: never[]) => unknown
/** A function that a module exports; the thread loads the module by itself. */
export type TaskOf<Work extends Task> = { module: string; name: string; work?: Work }

/** The task took more time or memory than any honest file needs; its thread was ended. */
export class TooHeavy extends Error {}

/** `ofOne` of those who wait may be of one owner. */
export type WorkerLimits = { threads: number; waiting: number; ofOne: number; taskMs: number; idleMs: number; heapMegabytes: number }

/** An honest file takes a tenth of a second, and a slow machine ten times that. */
const usual: WorkerLimits = { threads: 2, waiting: 64, ofOne: 8, taskMs: 10_000, idleMs: 30_000, heapMegabytes: 256 }

type Order = {
  id: number
  owner: string
  task: TaskOf<Task>
  given: unknown[]
  done: (value: unknown) => void
  failed: (error: unknown) => void
}
type Answer = { id: number; value: unknown } | { id: number; fault: unknown }
type Thread = { worker: Worker; order?: Order | undefined; timer?: NodeJS.Timeout | undefined }

export function openWorkers(limits: WorkerLimits = usual): Workers {
  /** By owner, whose turn it is first. */
  const waiting = new Map<string, Order[]>()
  const threads = new Set<Thread>()
  let made = 0

  function next(): void {
    const idle = [...threads].find(({ order }) => !order)
    if (!idle && threads.size >= limits.threads) return
    const order = takeNext()
    if (order) begin(idle ?? hire(), order)
  }

  function takeNext(): Order | undefined {
    const busy = new Set([...threads].map(({ order }) => order?.owner))
    const [owner, orders] = [...waiting].find(([owner]) => !busy.has(owner)) ?? []
    if (owner === undefined || !orders) return undefined
    waiting.delete(owner)
    const order = orders.shift()
    if (orders.length > 0) waiting.set(owner, orders)
    return order
  }

  function hire(): Thread {
    const resourceLimits = { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32 }
    const worker = new Worker(new URL('worker.ts', import.meta.url), { resourceLimits })
    const thread: Thread = { worker }
    worker.on('message', (answer: Answer) => {
      const { order } = thread
      if (answer.id !== order?.id) return
      rest(thread)
      if ('fault' in answer) order.failed(answer.fault)
      else order.done(unloaded(answer.value))
      next()
    })
    worker.on('error', error => end(thread, error))
    threads.add(thread)
    return thread
  }

  function begin(thread: Thread, order: Order): void {
    clearTimeout(thread.timer)
    thread.order = order
    thread.worker.ref()
    thread.timer = setTimeout(() => end(thread, new Error('it took too long')), limits.taskMs)
    const { value, moved } = loaded(order.given)
    thread.worker.postMessage({ id: order.id, module: order.task.module, name: order.task.name, given: value }, [...new Set(moved)])
  }

  /** A thread at rest keeps no process alive, and goes when nothing comes for a while. */
  function rest(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.order = undefined
    thread.worker.unref()
    thread.timer = setTimeout(() => end(thread), limits.idleMs).unref()
  }

  function end(thread: Thread, cause?: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    thread.order?.failed(new TooHeavy('a task was ended', { cause }))
    next()
  }

  return {
    run: (owner, task, ...given) =>
      new Promise((done, failed) => {
        const own = waiting.get(owner) ?? []
        // Also when many owners have filled the line, one who has nothing in it is let in: nobody is shut out by others.
        const most = [...waiting.values()].flat().length < limits.waiting ? limits.ofOne : 1
        if (own.length >= most) throw new Refusal('service.unavailable', { retryAfter: 2 })
        const order = { id: (made += 1), owner, task, given, done: done as Order['done'], failed }
        waiting.set(owner, [...own, order])
        next()
      }),
    async stop() {
      const left = [...waiting.values()].flat()
      waiting.clear()
      for (const order of [...left, ...[...threads].flatMap(({ order }) => order ?? [])]) order.failed(new Refusal('service.unavailable'))
      const ended = [...threads].map(thread => {
        clearTimeout(thread.timer)
        return thread.worker.terminate()
      })
      threads.clear()
      await Promise.all(ended)
    },
  }
}
