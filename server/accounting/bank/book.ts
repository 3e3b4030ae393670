import type { Payer } from '#common/accounting/bank/propose.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type TaskOf, TooHeavy } from '#server/kit/workers/workers.ts'
import { bookPayment } from '../settle.ts'
import { claimEntry } from './queries.ts'
import type { KnownEntry, readBankFile } from './read-file.ts'

const task: TaskOf<typeof readBankFile> = { module: new URL('read-file.ts', import.meta.url).href, name: 'readBankFile' }

/** Reads a bank's file in another thread, which takes over its bytes. */
export async function readBank(world: World, owner: string, bytes: Buffer, payers: Payer[]): Promise<ReturnType<typeof readBankFile>> {
  try {
    return await world.workers.run(owner, task, bytes, payers)
  } catch (error) {
    if (error instanceof TooHeavy) return { entries: [], problems: [{ fault: 'heavy' }] }
    throw error
  }
}

/** Books a bank's entry on an agency's account. False if it has been booked before, for this agency or another one. */
export async function bookBankEntry(world: World, tx: UnitTx, entry: KnownEntry): Promise<boolean> {
  const { id, alike, cents, currency, way, isReversal } = entry
  if (!(await claimEntry(tx, { id, alike, at: world.clock.now() }))) return false
  await bookPayment(world, tx, { requestId: id, cents, currency, way, isReversal })
  return true
}
