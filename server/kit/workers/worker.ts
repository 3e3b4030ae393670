import { parentPort } from 'node:worker_threads'
import { toTransfer, fromTransfer } from './carry.ts'
import { yieldToOthers } from './priority.ts'

// The program of a worker thread, which does one task after another and posts the results.

yieldToOthers(5)

type Order = { id: number; module: string; name: string; args: unknown[] }

parentPort?.on('message', ({ id, module, name, args }: Order) => void answer(id, () => work(module, name, args)))

async function work(module: string, name: string, args: unknown[]): Promise<unknown> {
  // Safe: the caller names a function of this module (TaskOf in workers.ts); a missing one is refused below.
  const { [name]: carryOut } = (await import(module)) as Record<string, (...args: unknown[]) => unknown>
  if (!carryOut) throw new TypeError(`${module} has no ${name}`)
  // Safe: an array stays an array.
  return carryOut(...(fromTransfer(args) as unknown[]))
}

async function answer(id: number, ask: () => Promise<unknown>): Promise<void> {
  try {
    const { value, moved } = toTransfer(await ask())
    parentPort?.postMessage({ id, value }, [...new Set(moved)])
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, error: error })
  }
}
