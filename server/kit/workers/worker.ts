import { parentPort } from 'node:worker_threads'
import { loaded, unloaded } from './carry.ts'
import { yieldToOthers } from './priority.ts'

// A thread that does one task after another and answers.

yieldToOthers(5)

type Order = { id: number; module: string; name: string; given: unknown[] }

parentPort?.on('message', ({ id, module, name, given }: Order) => void answer(id, () => work(module, name, given)))

async function work(module: string, name: string, given: unknown[]): Promise<unknown> {
  const { [name]: carryOut } = (await import(module)) as Record<string, (...given: unknown[]) => unknown>
  if (!carryOut) throw new TypeError(`${module} has no ${name}`)
  return carryOut(...(unloaded(given) as unknown[]))
}

async function answer(id: number, ask: () => Promise<unknown>): Promise<void> {
  try {
    const { value, moved } = loaded(await ask())
    parentPort?.postMessage({ id, value }, [...new Set(moved)])
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, fault: error })
  }
}
