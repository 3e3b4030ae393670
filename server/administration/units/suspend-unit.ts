import type * as calls from '#common/administration/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, keepsOwnAccess, lockAccess } from '#server/session/public.ts'
import { unitToChange } from './describe.ts'
import { endSessionsOfUnit, updateUnit } from './queries.ts'

/** Suspends a unit: sign-ins and its tokens are refused at once. Users without another unit are signed out. */
export const suspendUnit =
  (world: World): Handler<typeof calls.suspendUnit> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      await lockAccess(tx)
      const unit = await unitToChange(tx, ask.uuid)
      if (unit.suspended) throw new Refusal('administration.suspended_already')
      const now = world.realTime.now()
      await updateUnit(tx, unit.id, { suspended: true, updated_at: now })
      await keepsOwnAccess(tx, userId)
      const sessionsEnded = await endSessionsOfUnit(tx, unit.id, now)
      await audit(world, tx, input, {
        action: 'administration.unit_suspended',
        outcome: 'done',
        userId,
        businessUnitId: unit.id,
        object: unit.id,
        reason: ask.reason,
        details: { sessionsEnded },
      })
      return { suspended: true, sessionsEnded }
    })
  }

export const resumeUnit =
  (world: World): Handler<typeof calls.resumeUnit> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const unit = await unitToChange(tx, ask.uuid)
      if (!unit.suspended) throw new Refusal('administration.not_suspended')
      await updateUnit(tx, unit.id, { suspended: false, updated_at: world.realTime.now() })
      const entry = { action: 'administration.unit_resumed', outcome: 'done' as const, userId, businessUnitId: unit.id, object: unit.id }
      await audit(world, tx, input, { ...entry, reason: ask.reason })
      return { suspended: false }
    })
  }
