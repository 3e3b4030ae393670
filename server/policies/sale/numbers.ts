import type { World } from '#server/kit/app-context.ts'
import { takeNumbers } from '../queries.ts'

/**
 * Hands out policy numbers from memory, so that no sale waits for another to commit. Every agency gets them from the same blocks, as a number
 * is unique for the insurer. A process that ends leaves a gap.
 */
export type Numbers = {
  /** Never called within a transaction, as it may open one. */
  take(): Promise<number>
  /** Returns the number of a sale that certainly failed. */
  putBack(index: number): void
}

const blockSize = 100

export function openNumbers({ database }: Pick<World, 'database'>): Numbers {
  const free: number[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    const first = await database.asService(tx => takeNumbers(tx, blockSize))
    free.push(...Array.from({ length: blockSize }, (_, index) => first + index))
  }

  return {
    async take() {
      for (;;) {
        const index = free.shift()
        if (index !== undefined) return index
        filling ??= fill().finally(() => {
          filling = undefined
        })
        await filling
      }
    },
    putBack: index => void free.unshift(index),
  }
}
