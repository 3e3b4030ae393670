import { Worker } from 'node:worker_threads'
import type { UnitSums } from '#common/accounting/bordereau/control-sums.ts'
import type { World } from '#server/kit/app-context.ts'
import { numberKeys } from '#server/kit/sealed/document-numbers.ts'
import type { Batch, Order, Written } from './files.ts'
import { batchesOfMonth, type UnitMonth } from './read.ts'

type Message = { kind: 'next' } | { kind: 'piece'; name: string; content: Uint8Array<ArrayBuffer> } | ({ kind: 'written' } & Written)
type Unit = UnitMonth & { sums: UnitSums[] }
type Store = (name: string, content: Buffer) => Promise<void>

/** The memory of the thread, which is enough for several batches. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 96 }

/**
 * Writes the rows of units' closed month in three formats, in a thread of their own, so that a million rows delay no request. `store` takes compressed
 * pieces of the files. The thread gets its next batch once its last output is stored, so that few batches stay in memory.
 */
export async function writeMonth(world: World, month: string, units: readonly Unit[], store: Store): Promise<Written> {
  const batches = batchesOf(world, units)
  const thread = new Worker(new URL('files-thread.ts', import.meta.url), { workerData: orderOf(world, month, units), resourceLimits })
  try {
    return await serveThread(thread, batches, store)
  } finally {
    await Promise.all([thread.terminate(), batches.return(undefined)])
  }
}

/** Sends the thread batches on request and stores its output, until all is written. */
const serveThread = (thread: Worker, batches: AsyncGenerator<Batch, undefined>, store: Store): Promise<Written> =>
  new Promise((resolve, reject) => {
    let storing = Promise.resolve()
    let isWritten = false
    async function feed(): Promise<void> {
      const { value } = await batches.next()
      await storing
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(value ?? null)
    }
    thread.on('error', reject)
    // The thread may exit while its last output is still being stored.
    thread.on('exit', () => isWritten || reject(new Error('the thread ended early')))
    thread.on('message', (message: Message) => {
      if (message.kind === 'next') feed().catch(reject)
      else if (message.kind === 'piece') {
        const { name, content } = message
        storing = storing.then(() => store(name, Buffer.from(content.buffer, content.byteOffset, content.byteLength)))
        storing.catch(reject)
      } else {
        isWritten = true
        storing.then(() => resolve({ sums: message.sums, files: message.files }), reject)
      }
    })
  })

async function* batchesOf(world: World, units: readonly UnitMonth[]): AsyncGenerator<Batch, undefined> {
  for (const [unit, month] of units.entries()) for await (const batch of batchesOfMonth(world, month)) yield { unit, ...batch }
}

const orderOf = (world: World, month: string, units: readonly Unit[]): Order => ({
  month,
  namesKey: world.secrets.derive('insured names'),
  numberKeys: numberKeys(world.secrets),
  units: units.map(({ scope, unit, country, withNames, statements, sums }) => ({
    unitId: scope.businessUnitId,
    unit,
    country,
    withNames,
    statements: statements.map(({ number, currency }) => ({ number, currency })),
    sums,
  })),
})
