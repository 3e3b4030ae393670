import { longestReference } from '#common/accounting/book.ts'
import { likeOne } from '#common/accounting/by-hand.ts'
import type { Payer } from '#common/accounting/bank/propose.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type TaskOf, TooHeavy } from '#server/kit/workers/workers.ts'
import { bookPayment } from '../by-hand/book.ts'
import { bookedByHand, claimEntry } from '../by-hand/queries.ts'
import { lockSlots } from '../limit/queries.ts'
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

type Confirmed = { entry: KnownEntry; by: string; again: boolean }

/**
 * Books a bank's entry on an agency's account. Returns `before` if any agency has the entry already. Returns `by_hand` if it looks like a payment
 * booked by hand, unless a person has said that it is another one.
 */
export async function bookBankEntry(world: World, tx: UnitTx, { entry, by, again }: Confirmed): Promise<'booked' | 'before' | 'by_hand'> {
  const { id, alike, cents, currency, way, isReversal, bookedOn: on, reference } = entry
  // A concurrent payment by hand waits for this one, or is already visible here.
  await lockSlots(tx, currency)
  if (!again && likeOne(entry, await bookedByHand(tx, [cents]))) return 'by_hand'
  if (!(await claimEntry(tx, { id, alike, at: world.clock.now() }))) return 'before'
  await bookPayment(world, tx, { requestId: id, by, cents, currency, way, isReversal, on, reference: reference.slice(0, longestReference) })
  return 'booked'
}
