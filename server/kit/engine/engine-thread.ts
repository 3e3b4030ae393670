import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { startEngine } from './engine.ts'
import type { Order, Reply } from './in-thread.ts'

if (!parentPort) throw new Error('this file runs as a thread')
const port = parentPort

// Safe: in-thread.ts gives a folder first.
const [location] = (await once(port, 'message')) as [{ folder: string }]
const engine = await startEngine(location)
tell({ done: undefined })
port.on(
  'message',
  (order: Exclude<Order, { folder: string }>) => void carryOut(order).catch((error: unknown) => tell({ failed: String(error) })),
)

/** Carries out orders in the order in which they came, as the engine takes messages without waiting. */
async function carryOut(order: Exclude<Order, { folder: string }>): Promise<void> {
  if (order === 'close') {
    await engine.close()
    port.close()
  } else tell({ done: order === 'dump' ? await engine.dump() : await engine.exec(order) })
}

function tell(reply: Reply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(reply)
}
