import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Engine } from './engine.ts'

/** The folder comes first, then messages for the engine and other orders. */
export type Order = { folder: string } | Uint8Array | 'dump' | 'close'
/** Replies are in the order of the orders. */
export type Reply = { done: Uint8Array | Blob | undefined } | { failed: string }

type Waiting = { resolve(value: Uint8Array | Blob | undefined): void; reject(error: Error): void }

/** A thread that has loaded the engine's code, and starts the engine in the folder that it is given. */
export type EngineThread = { start(folder: string): Promise<Engine>; end(): void }

/** Starts the engine in a thread of its own, so that the service responds while it works. */
export const startEngineInThread = (folder: string, thread = openEngineThread()): Promise<Engine> => thread.start(folder)

export function openEngineThread(): EngineThread {
  const thread = new Worker(new URL('engine-thread.ts', import.meta.url))
  const waiting: Waiting[] = []
  let ended: Error | undefined
  const end = (error: Error) => {
    ended ??= error
    for (const order of waiting.splice(0)) order.reject(ended)
  }
  thread.on('message', (reply: Reply | object) => {
    // While Node watches files, a thread also reports the files that it has loaded.
    if ('done' in reply) waiting.shift()?.resolve(reply.done)
    else if ('failed' in reply) waiting.shift()?.reject(new Error(reply.failed))
  })
  thread.on('error', end)
  thread.on('exit', () => end(new Error('the embedded database has ended')))
  const next = () => new Promise<Uint8Array | Blob | undefined>((resolve, reject) => waiting.push({ resolve, reject }))
  const ask = (order: Order) => {
    if (ended) return Promise.reject(ended)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(order)
    return next()
  }
  const engine: Engine = {
    // Safe: the thread replies to messages with the engine's response.
    exec: async messages => (await ask(messages)) as Uint8Array,
    // Safe: the thread replies to this with a copy.
    dump: async () => (await ask('dump')) as Blob,
    async close() {
      // A thread that has died takes no order, and its end would never come again.
      if (ended) return
      const closed = once(thread, 'exit')
      void ask('close').catch(() => {})
      await closed
    },
  }
  return {
    async start(folder) {
      await ask({ folder })
      return engine
    },
    end: () => void thread.terminate(),
  }
}
