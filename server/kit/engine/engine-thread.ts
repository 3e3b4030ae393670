import { parentPort, workerData } from 'node:worker_threads'
import { startEngine } from './engine.ts'
import type { Order, Reply } from './in-thread.ts'

if (!parentPort) throw new Error('this file runs as a thread')
const port = parentPort

// Safe: in-thread.ts starts this thread with a folder.
const engine = await startEngine(workerData as { folder: string })
tell({ done: undefined })
port.on('message', (order: Order) => void carryOut(order).catch((error: unknown) => tell({ failed: String(error) })))

/** Orders are carried out in the order in which they came, as the engine takes messages without waiting. */
async function carryOut(order: Order): Promise<void> {
  if (order === 'close') {
    await engine.close()
    port.close()
  } else tell({ done: order === 'dump' ? await engine.dump() : await engine.exec(order) })
}

function tell(reply: Reply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(reply)
}
