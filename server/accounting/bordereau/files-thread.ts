import { parentPort, workerData } from 'node:worker_threads'
import { yieldToOthers } from '#server/kit/workers/priority.ts'
import { type Batch, type Order, writeFiles } from './files.ts'

// The program of the thread that writes the files of a bordereau. It asks for one batch after another, so that none waits in its memory.

yieldToOthers(5)

const port = parentPort
if (!port) throw new Error('this is the program of a thread')

async function* asked(): AsyncGenerator<Batch> {
  for (;;) {
    const batch = await new Promise<Batch | null>(resolve => {
      port?.once('message', resolve)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      port?.postMessage({ kind: 'next' })
    })
    if (!batch) return
    yield batch
  }
}

// Safe: write.ts starts it with an order.
const written = await writeFiles(workerData as Order, asked(), ({ name, content }) => {
  // Copies the piece, since posting it would copy the larger buffer that it is part of.
  const bytes = new Uint8Array(content)
  port.postMessage({ kind: 'piece', name, content: bytes }, [bytes.buffer])
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
port.postMessage({ kind: 'written', ...written })
