import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { takeNumbers } from '../queries.ts'

/** Hands out policy numbers from memory, so that no sale waits for another to commit. A process that ends leaves a gap. */
export type Numbers = {
  /** Never called within a transaction, as it may open one. */
  take(scope: Scope): Promise<number>
  /** Returns the number of a sale that certainly failed. */
  putBack(scope: Scope, index: number): void
}

const blockSize = 20

export function openNumbers(world: Pick<World, 'database'>): Numbers {
  const free = new Map<string, number[]>()
  const filling = new Map<string, Promise<void>>()
  const freeOf = (unit: string) => {
    const indexes = free.get(unit) ?? []
    free.set(unit, indexes)
    return indexes
  }

  async function fill(scope: Scope): Promise<void> {
    const first = await world.database.inScope(scope, tx => takeNumbers(tx, blockSize))
    freeOf(scope.businessUnitId).push(...Array.from({ length: blockSize }, (_, index) => first + index))
  }

  return {
    async take(scope) {
      const unit = scope.businessUnitId
      for (;;) {
        const index = freeOf(unit).shift()
        if (index !== undefined) return index
        const filled = filling.get(unit) ?? fill(scope).finally(() => filling.delete(unit))
        filling.set(unit, filled)
        await filled
      }
    },
    putBack: (scope, index) => void freeOf(scope.businessUnitId).unshift(index),
  }
}
