import { Worker } from 'node:worker_threads'
import { Refusal } from '#common/kit/refusals.ts'
import { toTransfer, fromTransfer } from './carry.ts'

/**
 * Reads untrusted files in other threads, so that no file delays requests. A task's time and memory are limited. An owner (a user, or inbound mail) has
 * at most one thread, and owners take turns, so that many files of one owner do not delay the others.
 */
export type Workers = {
  /** Runs a task in a thread, which takes over the bytes of its arguments. Throws TooHeavy if the task exceeds the limits. */
  run<Work extends Task>(owner: string, task: TaskOf<Work>, ...args: Parameters<Work>): Promise<Awaited<ReturnType<Work>>>
  stop(): Promise<void>
}

type Task = (...args: never[]) => unknown
/** A function that a module exports. The thread imports the module. */
export type TaskOf<Work extends Task> = { module: string; name: string; work?: Work }

/** The task took more time or memory than any ordinary file needs, and its thread was terminated. */
export class TooHeavy extends Error {}

/** The limits of the workers; `ofOne` is the most waiting tasks of one owner. */
export type WorkerLimits = { threads: number; waiting: number; ofOne: number; taskMs: number; idleMs: number; heapMegabytes: number }

/** An ordinary file takes a tenth of a second, and ten times that on a slow machine. */
const usual: WorkerLimits = { threads: 2, waiting: 64, ofOne: 8, taskMs: 10_000, idleMs: 30_000, heapMegabytes: 256 }

type Order = {
  id: number
  owner: string
  task: TaskOf<Task>
  args: unknown[]
  done: (value: unknown) => void
  failed: (error: unknown) => void
}
type Answer = { id: number; value: unknown } | { id: number; error: unknown }
type Thread = { worker: Worker; order?: Order | undefined; timer?: NodeJS.Timeout | undefined }

export function openWorkers(limits: WorkerLimits = usual): Workers {
  /** The waiting tasks by owner; the owner whose turn is next comes first. */
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
      if ('error' in answer) order.failed(answer.error)
      else order.done(fromTransfer(answer.value))
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
    const { value, moved } = toTransfer(order.args)
    thread.worker.postMessage({ id: order.id, module: order.task.module, name: order.task.name, args: value }, [...new Set(moved)])
  }

  /** Lets an idle thread neither keep the process alive nor outlive the idle time. */
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
    run: (owner, task, ...args) =>
      new Promise((done, failed) => {
        const own = waiting.get(owner) ?? []
        // Even if many owners have filled the queue, an owner without a waiting task may add one, so that none is shut out by others.
        const most = [...waiting.values()].flat().length < limits.waiting ? limits.ofOne : 1
        if (own.length >= most) throw new Refusal('service.unavailable', { retryAfter: 2 })
        // Safe: the task's result has the type that `done` takes.
        const order = { id: (made += 1), owner, task, args, done: done as Order['done'], failed }
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
