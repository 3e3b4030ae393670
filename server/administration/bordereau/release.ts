import { unequalUnits } from '#common/accounting/bordereau/control-sums.ts'
import type * as calls from '#common/administration/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { describe } from './describe.ts'
import { readerOf, refusalOf } from './four-eyes.ts'
import { type BordereauRow, chosenUnits, findBordereau, insertReleased, lockBordereau, markReleased } from './queries.ts'
import { refuse } from './prepare.ts'

/**
 * Releases a bordereau that another administrator prepared. The key of unit and month lets one of two bordereaux through, and the lock one of two
 * releases.
 */
export const releaseBordereau =
  (world: World): Handler<typeof calls.releaseBordereau> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const row = await lockBordereau(tx, ask.uuid)
      if (!row) throw new Refusal('request.not_found')
      const units = await chosenUnits(tx, row.units)
      if (row.state === 'released') refuse('bordereau.released', units)
      refuseUnwritten(row)
      const reader = await readerOf(world, tx, userId, [row])
      const refusal = refusalOf(row, reader)
      if (refusal) throw new Refusal(refusal)
      const unequal = unequalUnits(row.sums ?? [], row.units)
      refuse(
        'bordereau.unequal',
        units.filter(({ id }) => unequal.includes(id)),
      )
      const taken = []
      for (const unit of units)
        if (!(await insertReleased(tx, { unitId: unit.id, month: row.month, kind: row.kind, bordereauId: row.id }))) taken.push(unit)
      refuse('bordereau.released', taken)
      await markReleased(tx, row.id, { by: userId, at: world.clock.now() })
      await audit(world, tx, input, {
        action: 'administration.bordereau_released',
        outcome: 'done',
        userId,
        object: row.id,
        details: { kind: row.kind, period: row.month.slice(0, 7), businessUnits: units.map(({ brandName }) => brandName) },
      })
      const released = await findBordereau(tx, row.id)
      if (!released) throw new Refusal('request.not_found')
      return describe(released, new Map(units.map(({ id, brandName }) => [id, brandName])), reader)
    })
  }

/** Refuses a bordereau without files, which are being written or could not be. */
export function refuseUnwritten({ state }: Pick<BordereauRow, 'state'>): void {
  if (state === 'preparing') throw new Refusal('bordereau.not_prepared')
  if (state === 'failed') throw new Refusal('bordereau.failed')
}
