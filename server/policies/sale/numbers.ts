import type { World } from '#server/kit/front.ts'
import type { Scope } from '#server/kit/scope.ts'
import { takeNumbers } from '../queries.ts'

/** Policy numbers are handed out of memory: a sale must not wait until another one has committed. What a process that ends has left is a gap. */
export type Numbers = {
  /** Never asked for within a transaction: now and then it opens one of its own. */
  take(scope: Scope): Promise<number>
  /** Of a sale that certainly did not come about. */
  startRefund(scope: Scope, place: number): void
}

const block = 20

export function openNumbers(world: Pick<World, 'database'>): Numbers {
  const free = new Map<string, number[]>()
  const filling = new Map<string, Promise<void>>()
  const freeOf = (unit: string) => {
    const places = free.get(unit) ?? []
    free.set(unit, places)
    return places
  }

  async function fill(scope: Scope): Promise<void> {
    const first = await world.database.inScope(scope, tx => takeNumbers(tx, block))
    freeOf(scope.businessUnitId).push(...Array.from({ length: block }, (_, index) => first + index))
  }

  return {
    async take(scope) {
      const unit = scope.businessUnitId
      for (;;) {
        const place = freeOf(unit).shift()
        if (place !== undefined) return place
        const filled = filling.get(unit) ?? fill(scope).finally(() => filling.delete(unit))
        filling.set(unit, filled)
        await filled
      }
    },
    startRefund: (scope, place) => void freeOf(scope.businessUnitId).unshift(place),
  }
}
